import type { AgentConfig, SubAgentConfig } from "./agent-config.js"

/**
 * Returns the sub-agents of an agent, or the nodes of a graph. Agents that only run as tools are
 * not included.
 */
export const childConfigs = (agent: AgentConfig): readonly SubAgentConfig[] =>
  ("subAgents" in agent ? agent.subAgents : null) ?? []
