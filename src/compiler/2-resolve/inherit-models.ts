import type { AgentConfig } from "../1-parse/config/agent-config.js"
import type { ReferenceGraph } from "./reference-graph.js"

/**
 * ADK's rule: an agent without a model takes that of its nearest ancestor that is an LlmAgent, containers in between or
 * not. The target of a tool has no ancestors. Only for a config without cycles; `order` has each agent after those that
 * it leads to. Whoever has none by that has the default, if there is one.
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
