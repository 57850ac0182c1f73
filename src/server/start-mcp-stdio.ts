import type { Readable, Writable } from "node:stream"
import type { OpenRunsOptions } from "./runs/open-runs.js"
import { openRuns } from "./runs/open-runs.js"
import { loadMcpPackage } from "./protocols/mcp/mcp-package.js"
import { mcpServers } from "./protocols/mcp/mcp-server.js"
import type { RefusedFile, ServedWorkflow } from "./workflows/served-workflows.js"
import { startRun } from "./runs/start-run.js"

export interface McpStdioOptions extends OpenRunsOptions {
  /** Stream from which the server reads the messages of the client, usually stdin. */
  readonly input: Readable
  /**
   * Stream to which the server writes its messages, usually stdout. Nothing else may write to it.
   */
  readonly output: Writable
  /** Called if the client sends an invalid message. */
  readonly onProblem?: (error: Error) => void
}

/** A running MCP server that communicates over stdin and stdout. */
export interface McpStdioServer {
  readonly workflows: readonly ServedWorkflow[]
  readonly refused: readonly RefusedFile[]
  /** Number of interrupted runs that were resumed at startup. */
  readonly resumed: number
  /** Promise that resolves when the client closes the input stream. */
  readonly ended: Promise<void>
  /** Closes all runs. Runs that have not ended are interrupted and can be resumed later. */
  close(): Promise<void>
}

/**
 * Starts an MCP server that offers workflows as tools over stdin and stdout. Its client is the
 * program that started this process.
 */
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
  const { resumed } = await open.resume()
  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve)
    input.once("close", resolve)
  })
  // If the client disconnects, its runs continue and the next client can answer them.
  const servers = mcpServers({
    sdk,
    workflows,
    runs,
    start: startRun(runs, options.maxOpenRuns ?? 10_000),
    version: options.version ?? "0.0.0",
    cancelOnDisconnect: () => false,
  })
  const served = serveStdio(servers, {
    transport: new StdioServerTransport(input, output),
    ...(onProblem !== undefined && { onerror: onProblem }),
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
