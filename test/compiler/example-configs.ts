/** Small configs for tests; `more` adds or replaces fields. */
export const llmAgent = (id: string, more: object = {}) => ({
  type: "LlmAgent",
  id,
  httpConfig: { url: `http://llm.test/${id}`, method: "POST" },
  ...more,
})

export const sequence = (id: string, agents: readonly string[], more: object = {}) => ({
  type: "SequentialAgent",
  id,
  subAgents: agents.map((agentId) => ({ agentId })),
  ...more,
})

export const httpTool = (id: string, more: object = {}) => ({
  type: "HttpTool",
  id,
  httpConfig: { url: `http://tools.test/${id}`, method: "POST" },
  ...more,
})

export const workflow = (
  agents: readonly Readonly<Record<string, unknown>>[],
  more: object = {},
) => ({
  rootAgentId: agents[0]?.["id"],
  agents,
  ...more,
})
