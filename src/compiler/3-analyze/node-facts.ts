import type { MergeRule } from "../../machines/contract/agent-chart.js"
import type { AgentNode, ResolvedTool, WorkflowTree } from "../2-resolve/agent-node.js"

/**
 * Returns the state key to which an agent or a tool saves its output. Returns null if the output is
 * not saved. Parallel blocks and built-in tools never save their output.
 */
export const outputKeyOf = (node: AgentNode | ResolvedTool): string | null =>
  "outputKey" in node ? node.outputKey : null

/**
 * Returns the rule that merges the parallel writes of a state key. The default rule is `replace`.
 */
export const mergeRuleOf = (key: string, { stateMerge }: WorkflowTree["settings"]): MergeRule =>
  (Object.hasOwn(stateMerge, key) ? stateMerge[key] : undefined) ?? "replace"

/**
 * Returns whether an agent is a host function or calls host functions. A host function may write
 * any state key and may escalate.
 */
export function runsHostCode(agent: AgentNode, tools: WorkflowTree["tools"]): boolean {
  if (
    ["CustomAgent", "MachineAgent", "FunctionNode", "RouterNode", "ToolNode"].includes(
      agent.type,
    ) ||
    ("hooks" in agent && agent.hooks !== null)
  )
    return true
  if (agent.type !== "LlmAgent") return false
  return agent.adk?.hooks !== undefined || agent.tools.some((id) => isHostCode(tools.get(id)))
}

const isHostCode = (tool: ResolvedTool | undefined): boolean =>
  tool?.type === "FunctionTool" || tool?.type === "Toolset"
