import { AgentStatechartsError } from "../../../errors.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { McpToolset, McpToolsetOptions } from "./mcp-toolset.js"
import { mcpToolset } from "./mcp-toolset.js"

export interface McpToolsetsOptions extends McpToolsetOptions {
  /**
   * Whether the chart may start programs on this machine as MCP servers. Such programs have the
   * same rights as this process. Default: false.
   */
  readonly allowStdio?: boolean
  /**
   * Names of services that the program registers itself. No toolset is created for these services.
   */
  readonly registered?: readonly string[]
}

export interface McpToolsets {
  /** Toolsets by service name. Pass them to `createRunner` as `services`. */
  readonly services: Readonly<Record<string, McpToolset>>
  /** Closes the connections to all MCP servers. */
  close(): Promise<void>
}

/**
 * Creates a toolset for each MCP server in a chart. The connection to a server is opened when a run
 * first needs the server.
 *
 * @throws AgentStatechartsError `process_refused` if a server is a program and `allowStdio` is
 * false
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
