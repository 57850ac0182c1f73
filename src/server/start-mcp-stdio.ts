import type { Readable, Writable } from "node:stream"
import type { ServedOptions } from "./runs/open-runs.js"
import { openRuns } from "./runs/open-runs.js"
import { loadMcpPackage } from "./protocols/mcp/mcp-package.js"
import { mcpServers } from "./protocols/mcp/mcp-server.js"
import type { RefusedFile, ServedWorkflow } from "./workflows/served-workflows.js"
import { startRun } from "./runs/start-run.js"

export interface McpStdioOptions extends ServedOptions {
  readonly input: Readable
  /** Carries the protocol and nothing else. */
  readonly output: Writable
  /** Told of messages that make no sense. */
  readonly onProblem?: (error: Error) => void
}

export interface McpStdioServer {
  readonly workflows: readonly ServedWorkflow[]
  readonly refused: readonly RefusedFile[]
  readonly resumed: number
  /** Settles when the client has gone. */
  readonly ended: Promise<void>
  /** Leaves every run as it is. */
  close(): Promise<void>
}

/** Serves workflows as tools of MCP to the one client that has started this process. */
export async function startMcpStdio({
  input,
  output,
  onProblem,
  ...options
}: McpStdioOptions): Promise<McpStdioServer> {
  const sdk = await loadMcpPackage()
  const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio")
  const open = openRuns(options)
  const { workflows, runs } = open
  const resumed = await open.resume()
  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve)
    input.once("close", resolve)
  })
  // A client that is closed leaves its runs to the next one.
  const servers = mcpServers({
    sdk,
    workflows,
    runs,
    start: startRun(runs, options.maxOpenRuns ?? 10_000),
    version: options.version ?? "0.0.0",
    leavingCancels: () => false,
  })
  const served = serveStdio(servers, {
    transport: new StdioServerTransport(input, output),
    ...(onProblem === undefined ? {} : { onerror: onProblem }),
  })
  return {
    workflows: workflows.all,
    refused: workflows.refused,
    resumed,
    ended,
    async close() {
      await open.close()
      await served.close()
    },
  }
}
