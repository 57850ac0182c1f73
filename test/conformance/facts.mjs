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

/** Who speaks without a model: a person, and code whose result goes to the next node. */
const isSpeaker = (kind) => kind !== "HumanAgent" && !kind.endsWith("Node")

/** An agent's text that no model has said since the agent began comes from a callback or from host code: it is a text, too. */
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
export const said = ({ message, fix, pointer, field }) =>
  [message, fix, pointer, field].filter(Boolean).join("\n")
