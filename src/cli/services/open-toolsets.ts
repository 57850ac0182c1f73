import type { McpToolsets, McpToolsetsOptions } from "../../adapters/tool/mcp/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"

/**
 * Opens toolsets for the MCP servers of a chart. The MCP package is optional and is loaded only if
 * the chart names a server.
 */
export async function openToolsets(
  chart: AgentChart,
  options: McpToolsetsOptions,
): Promise<McpToolsets | null> {
  if (!Object.values(chart.tools).some((tool) => tool.type === "Toolset" && tool.mcp !== undefined))
    return null
  const { mcpToolsets } = await import("../../adapters/tool/mcp/index.js")
  return mcpToolsets(chart, options)
}
