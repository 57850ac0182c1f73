import type { AgentNode, ToolNode } from "../2-resolve/agent-node.js"

/** The key that it writes by itself; parallel blocks and built-in tools have none. */
export const outputKeyOf = (node: AgentNode | ToolNode): string | null => ("outputKey" in node ? node.outputKey : null)

/** Agents that it runs or hands over to, tools left aside. */
export const subAgentsOf = (agent: AgentNode): readonly AgentNode[] =>
  "subAgents" in agent ? agent.subAgents.map((entry) => ("agent" in entry ? entry.agent : entry)) : []
