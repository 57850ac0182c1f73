import type { McpToolsets, McpToolsetsOptions } from "../../adapters/tool/mcp/index.js"
import type { AgentChart } from "../../machines/agent-chart.js"
import { orInstall } from "../missing-package.js"

/** The MCP servers that a chart names, none where it names none: the package that speaks to them is an optional one. */
export async function openToolsets(chart: AgentChart, options: McpToolsetsOptions): Promise<McpToolsets | null> {
  const named = Object.entries(chart.tools).find(([, tool]) => tool.type === "Toolset" && tool.mcp !== undefined)
  if (named === undefined) return null
  const { mcpToolsets } = await import("../../adapters/tool/mcp/index.js").catch(orInstall(`the toolset "${named[0]}" is an MCP server`, "@modelcontextprotocol/client"))
  return mcpToolsets(chart, options)
}
