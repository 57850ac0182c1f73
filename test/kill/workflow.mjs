const at = (base, kind, id) => ({ url: `${base}/${kind}/${id}`, method: "POST" })

const retried = { activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: "40ms" } } }

/**
 * Returns a workflow with all kinds of steps in which a run can be killed: retries with backoff, tools, branches, branches over a list
 * with a quorum, a loop, a handoff, an AgentTool, two people and a request that expires.
 */
export function workflow(base) {
  const agent = (id, more = {}) => ({
    type: "LlmAgent",
    id,
    outputKey: `${id}_text`,
    httpConfig: at(base, "llm", id),
    ...more,
  })
  const tool = (id, more = {}) => ({
    type: "HttpTool",
    id,
    httpConfig: at(base, "tool", id),
    ...more,
  })
  const steps = ["intake", "research", "pages", "rounds", "boss", "silent", "desk", "closer"]
  return {
    rootAgentId: "line",
    initialUserInput: "Deal with it.",
    globalTools: [
      tool("lookup"),
      tool("fetch", retried),
      tool("pay"),
      { type: "AgentTool", id: "ask_expert", targetAgentId: "expert" },
    ],
    agents: [
      { type: "SequentialAgent", id: "line", subAgents: steps.map((agentId) => ({ agentId })) },
      agent("intake", { tools: ["lookup"] }),
      {
        type: "ParallelAgent",
        id: "research",
        subAgents: [{ agentId: "alpha" }, { agentId: "beta" }, { agentId: "gamma" }],
      },
      {
        type: "ParallelAgent",
        id: "pages",
        subAgents: [{ agentId: "votes" }],
        forEach: { items: "['north', 'south']", as: "page", collect: { verdicts: "verdict" } },
      },
      {
        type: "ParallelAgent",
        id: "votes",
        subAgents: [{ agentId: "juror" }],
        forEach: {
          items: "[session_state['page'], 'east', 'west']",
          collect: { verdict: "juror_text" },
        },
        maxConcurrency: 2,
        completion: { quorum: 2 },
      },
      agent("juror"),
      agent("alpha", retried),
      agent("beta", { tools: ["fetch"] }),
      agent("gamma"),
      {
        type: "LoopAgent",
        id: "rounds",
        subAgents: [{ agentId: "writer" }, { agentId: "critic" }],
        maxAgentLoopIterations: 4,
        loopExitCondition: "'good' in session_state.get('critic_text')",
      },
      agent("writer"),
      agent("critic"),
      { type: "HumanAgent", id: "boss", prompt: "Which city?", outputKey: "city", expiresIn: "1h" },
      {
        type: "HumanAgent",
        id: "silent",
        prompt: "Anything else?",
        outputKey: "more",
        expiresIn: "60ms",
        onExpiry: "reject",
      },
      agent("desk", { subAgents: [agent("billing", { tools: ["ask_expert", "pay"] })] }),
      agent("expert"),
      agent("closer"),
    ],
  }
}

const calling = (id, name, args = {}, more = {}) => ({
  content: null,
  toolCalls: [{ id, function_name: name, function_args: args }],
  ...more,
})

/**
 * The response of each agent to its n-th call, or by key. Responses contain the key, so that a
 * journal shows which results it contains.
 */
const turns = {
  intake: [calling("l", "lookup"), "known"],
  beta: [calling("f", "fetch"), "fetched"],
  critic: (key) => (key.includes("rounds[1]") ? "good" : "not yet"),
  desk: [calling("t", "transfer_to_agent", { agent_name: "billing" }), "moved"],
  judge: [calling("k", "look"), { exitFlow: true }],
  billing: [
    calling("e", "ask_expert", { request: "how much?" }),
    calling("p", "pay", { amount: 5 }, { hitlRequest: { prompt: "Pay 5?" } }),
    "paid",
  ],
}

/** Returns the response of a service. The response to a key is always the same. */
export function answerFor(kind, id, key) {
  if (kind === "tool") return { done: id, key: `<${key}>` }
  const turn = turns[id] ?? ["said"]
  const answer =
    typeof turn === "function" ? turn(key) : turn[Number(/#(\d+)$/.exec(key)?.[1] ?? 0)]
  return typeof answer === "string"
    ? { content: `${answer} <${key}>` }
    : { ...answer, content: `<${key}>` }
}

/**
 * The third juror of a page responds long after the others, so that the others are the quorum in
 * each run, even on a busy machine.
 */
const isOfThirdJuror = (key) => key.includes("/votes[2]/")

/** Time in milliseconds until the service responds, so that kills at random times hit calls in flight. */
export const answerMs = (key) => (isOfThirdJuror(key) ? 2_000 : 8)

/** Whether a run can omit a call, because the quorum can be reached before the service receives the call. */
export const isOptional = isOfThirdJuror

/** Calls whose first attempt fails, so that a retry timer is started. */
export const failsFirst = new Set(["llm alpha", "tool fetch", "node fetch"])

/** Returns whether a request must not be answered, so that it expires. */
export const expires = (id) => id.includes("silent")

/** Answers a request of any agent as the person. */
export function reply(run, request) {
  if (request.kind === "approval") run.approve(request.id)
  else run.answer(request.id, "Oslo")
}
