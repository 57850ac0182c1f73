/** Converts run events to the event names in vectors. Other events are omitted. */
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
  "parallel.expanded": ({ count }) => ({ kind: "parallel_expanded", count }),
  "parallel.settled": ({ successes, failures, cancelled }) => ({
    kind: "parallel_settled",
    successes,
    failures,
    cancelled,
  }),
  "node.started": ({ node }) => ({ kind: "node_started", node }),
  "node.finished": ({ node, state }) => ({ kind: "node_finished", node, state }),
  "node.skipped": ({ node, reason }) => ({ kind: "node_skipped", node, reason }),
  "forEach.expanded": ({ node, count }) => ({ kind: "for_each_expanded", node, count }),
  warning: ({ message }) => ({ kind: "warning", says: message }),
  "condition.failed": ({ condition, message }) => ({
    kind: "condition_error",
    says: `${condition}: ${message}`,
  }),
}

/** Whether the text of an agent is a `text` event. The texts of people and of graph nodes are not. */
const isSpeaker = (kind) => kind !== "HumanAgent" && !kind.endsWith("Node")

/** Creates a `text` event for the text of an agent that no model returned. It comes from a callback or a host function. */
const textsOfHostCode = () => {
  const begun = new Map()
  return (event) => {
    const { type, path, kind, text } = event
    const say = (spoken) => {
      for (const [above, said] of begun) if (path.startsWith(above)) said.add(spoken)
    }
    if (type === "agent.started") begun.set(path, new Set())
    else if (type === "model.responded") say(event.answer.content)
    else if (type === "agent.finished") {
      const said = begun.get(path) ?? new Set()
      begun.delete(path)
      if (text !== null && isSpeaker(kind) && !said.has(text)) {
        say(text)
        return [{ kind: "text", text }]
      }
    }
    return []
  }
}

export const factsOf = (events) => {
  const saidBeside = textsOfHostCode()
  return events.flatMap(({ agent, branch, ...event }) => {
    const facts = [...saidBeside(event), words[event.type]?.(event)]
    return facts.flatMap((fact) => (fact ? [{ agent, branch: branch ?? undefined, ...fact }] : []))
  })
}
/** Adds the tool and the call id to a pending request. Its details are also available as `actionDetails` and `ticket`. */
export const openRequest = ({ details, toolCalls = [], ...request }) => ({
  ...request,
  details,
  actionDetails: details,
  ticket: details,
  toolCalls,
  tool: toolCalls[0]?.name,
  callId: toolCalls[0]?.id,
})
/** Returns the message, fix and location of a diagnostic as one text. */
export const said = ({ message, fix, pointer, field }) =>
  [message, fix, pointer, field].filter(Boolean).join("\n")
