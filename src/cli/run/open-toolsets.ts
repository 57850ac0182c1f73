import type { McpToolsets, McpToolsetsOptions } from "../../adapters/tool/mcp/index.js"
import type { AgentChart } from "../../machines/agent-chart.js"
import { UsageProblem } from "../usage-problem.js"

/** The MCP servers that a chart names, none where it names none: the package that speaks to them is an optional one. */
export async function openToolsets(chart: AgentChart, options: McpToolsetsOptions): Promise<McpToolsets | null> {
  const named = Object.entries(chart.tools).find(([, tool]) => tool.type === "Toolset" && tool.mcp !== undefined)
  if (named === undefined) return null
  const { mcpToolsets } = await import("../../adapters/tool/mcp/index.js").catch((error: unknown) => {
    if (!isMissingPackage(error)) throw error
    throw new UsageProblem(`the toolset "${named[0]}" is an MCP server; npm install @modelcontextprotocol/client beside agent-statecharts.`)
  })
  return mcpToolsets(chart, options)
}

const isMissingPackage = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"
