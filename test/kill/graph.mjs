const request = (base, id, more = {}) => ({ method: "POST", url: `${base}/node/${id}`, ...more })

const retried = { activityConfig: { retryPolicy: { maximumAttempts: 8, initialInterval: "20ms" } } }

/**
 * Returns a graph with a source that is polled and fails first, a loop that runs a request and an agent for each item, a node that
 * fails and its boundary, a confirmation, and an agent that asks a person.
 */
export function graph(base) {
  const agent = (id, more = {}) => ({
    type: "LlmAgent",
    id,
    outputKey: `${id}_text`,
    httpConfig: { url: `${base}/llm/${id}`, method: "POST" },
    ...more,
  })
  return {
    context: { names: ["north", "south"] },
    nodes: [
      {
        id: "fetch",
        type: "http",
        http: request(base, "fetch"),
        conditions: { pollUntil: ["{{ data.polls > 0 }}"] },
        ...retried,
      },
      {
        id: "each",
        type: "forEach",
        dependencies: ["fetch"],
        forEach: { items: "{{ context.names }}" },
        config: { concurrency: 2 },
      },
      {
        id: "score",
        type: "http",
        dependencies: ["each"],
        http: request(base, "score", { body: { name: "{{ row.data }}" } }),
      },
      {
        id: "juror",
        type: "adk",
        dependencies: ["score"],
        config: {
          rootAgentId: "judge",
          initialUserInput: "{{ row.data }}",
          agents: [agent("judge", { tools: ["look"] })],
          globalTools: [
            {
              type: "HttpTool",
              id: "look",
              httpConfig: { url: `${base}/tool/look`, method: "POST" },
            },
          ],
        },
      },
      { id: "joined", type: "endForEach", forEachId: "each", dependencies: ["juror"] },
      { id: "broken", type: "http", dependencies: ["joined"], http: request(base, "broken") },
      {
        id: "rescue",
        type: "error_boundary",
        protectedNodes: ["broken"],
        http: request(base, "rescue"),
      },
      { id: "confirm", type: "confirmation", dependencies: ["joined"] },
      {
        id: "ask",
        type: "adk",
        dependencies: ["confirm"],
        config: {
          rootAgentId: "boss",
          initialUserInput: "go",
          agents: [{ type: "HumanAgent", id: "boss", prompt: "Which city?", outputKey: "city" }],
        },
      },
      {
        id: "last",
        type: "http",
        dependencies: ["ask", "rescue"],
        http: request(base, "last", {
          body: { city: "{{ results.ask.data.session_state.city }}" },
        }),
      },
    ],
  }
}

/** Status and body of the response of a node. The first poll finds nothing. */
export const answerOfNode = (id, key) => ({
  status: id === "broken" ? 400 : 200,
  body: { node: id, key: `<${key}>`, polls: Number(/#(\d+)$/.exec(key)?.[1] ?? 0) },
})
