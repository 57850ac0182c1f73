import type { McpToolsets, McpToolsetsOptions } from "../../adapters/tool/mcp/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { UsageProblem } from "../errors/usage-problem.js"

/**
 * Opens toolsets for the MCP servers of a chart and of the workflows that it calls. The MCP package
 * is optional and is loaded only if a chart names a server.
 */
export async function openToolsets(
  charts: readonly AgentChart[],
  options: McpToolsetsOptions,
): Promise<Pick<McpToolsets, "services" | "close"> | null> {
  const using = charts.filter(({ tools }) =>
    Object.values(tools).some((tool) => tool.type === "Toolset" && tool.mcp !== undefined),
  )
  if (using.length === 0) return null
  refuseConflicts(using)
  const { mcpToolsets } = await import("../../adapters/tool/mcp/index.js")
  const opened = using.map((chart) => mcpToolsets(chart, options))
  return {
    services: Object.assign(
      {},
      ...opened.map(({ services }) => services),
    ) as McpToolsets["services"],
    close: async () => void (await Promise.all(opened.map((toolsets) => toolsets.close()))),
  }
}

/**
 * Throws an error if two toolsets have the same name but different servers, because one would
 * replace the other.
 */
function refuseConflicts(charts: readonly AgentChart[]): void {
  const servers = new Map<string, string>()
  for (const { id, tools } of charts)
    for (const tool of Object.values(tools)) {
      if (tool.type !== "Toolset" || tool.mcp === undefined) continue
      const server = JSON.stringify(tool.mcp)
      if ((servers.get(tool.service) ?? server) !== server)
        throw new UsageProblem(
          `the workflow "${id}" and a workflow that it calls, or that calls it, use the name "${tool.service}" for different MCP servers. Rename one of their agents.`,
        )
      servers.set(tool.service, server)
    }
}
