import { pageToolset } from "../../adapters/protocol/page-tools.js"
import type { Toolset } from "../../runtime/host/host-service.js"
import type { McpToolsets, McpToolsetsOptions } from "../../adapters/tool/mcp/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { UsageProblem } from "../errors/usage-problem.js"

/**
 * Opens the toolsets of a chart and of the workflows that it calls. A toolset gets its tools from
 * an MCP server or from a web page. The optional MCP package is loaded only if a chart uses an MCP
 * server.
 */
export async function openToolsets(
  charts: readonly AgentChart[],
  options: McpToolsetsOptions,
): Promise<OpenToolsets | null> {
  const servers = await openMcpToolsets(charts, options)
  const pages = pageToolsets(charts, options.registered ?? [])
  if (Object.keys(pages).length === 0) return servers
  return {
    services: { ...servers?.services, ...pages },
    close: async () => servers?.close(),
  }
}

/** Open toolsets by service name. `close` closes their connections. */
interface OpenToolsets {
  readonly services: Readonly<Record<string, Toolset>>
  close(): Promise<void>
}

/** Returns the toolsets of the charts whose tools a web page provides. */
function pageToolsets(
  charts: readonly AgentChart[],
  registered: readonly string[],
): Readonly<Record<string, Toolset>> {
  const names = charts.flatMap(({ tools }) =>
    Object.values(tools).flatMap((tool) =>
      tool.type === "Toolset" && tool.pageTools === true && !registered.includes(tool.service)
        ? [tool.service]
        : [],
    ),
  )
  return Object.fromEntries(names.map((name) => [name, pageToolset]))
}

async function openMcpToolsets(
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
 * Throws a usage error if two toolsets have the same name but different MCP servers, because one
 * toolset would replace the other.
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
