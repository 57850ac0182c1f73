import type { McpToolsets, McpToolsetsOptions } from "../../adapters/tool/mcp/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"

/** The MCP servers that a chart names, none where it names none: the package that speaks to them is an optional one. */
export async function openToolsets(
  chart: AgentChart,
  options: McpToolsetsOptions,
): Promise<McpToolsets | null> {
  if (!Object.values(chart.tools).some((tool) => tool.type === "Toolset" && tool.mcp !== undefined))
    return null
  const { mcpToolsets } = await import("../../adapters/tool/mcp/index.js")
  return mcpToolsets(chart, options)
}
