import type { AgentConfig } from "../1-parse/config/agent-config.js"
import type { ReferenceGraph } from "./reference-graph.js"

/**
 * Returns the inherited model of each agent. As in ADK, an agent inherits the model of its nearest
 * ancestor that is an LlmAgent with a model. An agent that runs as a tool has no ancestors. If no
 * ancestor has a model, the agent gets the default model, if there is one. The references between
 * agents must have no cycles. In `order`, each agent comes after the agents that it refers to.
 */
export function inheritModels(
  { edges }: ReferenceGraph,
  order: readonly AgentConfig[],
  defaultModel: string | null,
): ReadonlyMap<AgentConfig, string> {
  const inherited = new Map<AgentConfig, string>(
    defaultModel === null ? [] : order.map((agent) => [agent, defaultModel]),
  )
  for (const agent of order.toReversed()) {
    const own = agent.type === "LlmAgent" ? (agent.model ?? agent.modelCode) : null
    const model = own ?? inherited.get(agent)
    if (model === undefined) continue
    for (const { to, tool } of edges.get(agent) ?? []) if (tool === null) inherited.set(to, model)
  }
  return inherited
}
