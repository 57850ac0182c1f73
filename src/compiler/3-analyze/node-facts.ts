import type { AgentNode, ToolNode, WorkflowTree } from "../2-resolve/agent-node.js"

/** The key that it writes by itself; parallel blocks and built-in tools have none. */
export const outputKeyOf = (node: AgentNode | ToolNode): string | null =>
  "outputKey" in node ? node.outputKey : null

/** Whether it is code that the config does not show, or calls such code: it may write any key of the state, and escalate. */
export function runsHostCode(agent: AgentNode, tools: WorkflowTree["tools"]): boolean {
  if (
    ["CustomAgent", "FunctionNode", "RouterNode", "ToolNode"].includes(agent.type) ||
    ("hooks" in agent && agent.hooks !== null)
  )
    return true
  if (agent.type !== "LlmAgent") return false
  return agent.adk?.hooks !== undefined || agent.tools.some((id) => isHostCode(tools.get(id)))
}

const isHostCode = (tool: ToolNode | undefined): boolean =>
  tool?.type === "FunctionTool" || tool?.type === "Toolset"
