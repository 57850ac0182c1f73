/** Names what a run shows in the vectors' words. Events that have no word there are left out. */
const words = {
  "agent.started": () => ({ kind: "agent_started" }),
  "agent.finished": ({ text }) => ({ kind: "agent_finished", text }),
  "model.responded": ({ answer }) =>
    answer.content !== null && { kind: "text", text: answer.content },
  "tool.called": ({ tool, callId }) => ({ kind: "tool_called", tool, callId }),
  "tool.finished": ({ tool, callId }) => ({ kind: "tool_result", tool, callId }),
  "human.asked": () => ({ kind: "waiting" }),
  "user.awaited": () => ({ kind: "waiting" }),
  handoff: ({ from, to }) => ({ kind: "transfer", from, to }),
  checkpoint: ({ completedSubAgents }) => ({ kind: "checkpoint", completedSubAgents }),
  warning: ({ message }) => ({ kind: "warning", says: message }),
  "condition.failed": ({ condition, message }) => ({
    kind: "condition_error",
    says: `${condition}: ${message}`,
  }),
}

export const factsOf = (events) =>
  events.flatMap(({ agent, branch, ...event }) => {
    const fact = words[event.type]?.(event)
    return fact ? [{ agent, branch: branch ?? undefined, ...fact }] : []
  })
/** The tool and call that a request is about; `details` is what an approval calls actionDetails and a long-running call its ticket. */
export const openRequest = ({ details, toolCalls = [], ...request }) => ({
  ...request,
  details,
  actionDetails: details,
  ticket: details,
  toolCalls,
  tool: toolCalls[0]?.name,
  callId: toolCalls[0]?.id,
})
/** What a diagnostic tells a person, as one text. */
export const said = ({ message, cure, pointer, field }) =>
  [message, cure, pointer, field].filter(Boolean).join("\n")
