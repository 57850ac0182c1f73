import { AgentStatechartsError } from "../../../errors.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { McpToolset, McpToolsetOptions } from "./mcp-toolset.js"
import { mcpToolset } from "./mcp-toolset.js"

export interface McpToolsetsOptions extends McpToolsetOptions {
  /** Whether programs may be started that the chart names. They run with the rights of this process. */
  readonly allowStdio?: boolean
  /** Names of services that are registered by code and need no connection. */
  readonly registered?: readonly string[]
}

export interface McpToolsets {
  /** By the names of the services that the chart asks for. */
  readonly services: Readonly<Record<string, McpToolset>>
  close(): Promise<void>
}

/**
 * A toolset for every MCP server that a chart names. Nothing is started or reached before a run asks.
 *
 * @throws AgentStatechartsError `process_refused` where a server is a program and `allowStdio` is not set.
 */
export function mcpToolsets(
  { tools }: AgentChart,
  { allowStdio = false, registered = [], ...options }: McpToolsetsOptions = {},
): McpToolsets {
  const services = new Map<string, McpToolset>()
  for (const [id, tool] of Object.entries(tools)) {
    if (
      tool.type !== "Toolset" ||
      tool.mcp === undefined ||
      services.has(tool.service) ||
      registered.includes(tool.service)
    )
      continue
    if ("command" in tool.mcp && !allowStdio) {
      throw new AgentStatechartsError(
        "process_refused",
        `the toolset "${id}" starts the program "${tool.mcp.command}", which is not allowed; allow it with allowStdio (--allow-processes on the command line), or register a toolset "${tool.service}" yourself`,
      )
    }
    services.set(tool.service, mcpToolset(tool.mcp, options))
  }
  return {
    services: Object.fromEntries(services),
    async close() {
      await Promise.all([...services.values()].map((toolset) => toolset.close()))
    },
  }
}
