import type { AgentConfig, SubAgentConfig } from "./agent-config.js"

/**
 * Returns the sub-agents of an agent, or the nodes of a graph. Agents that are only run by tools
 * are not included.
 */
export const childConfigs = (agent: AgentConfig): readonly SubAgentConfig[] =>
  ("subAgents" in agent ? agent.subAgents : null) ?? []
