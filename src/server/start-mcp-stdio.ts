import type { Readable, Writable } from "node:stream"
import type { ServedOptions } from "./runs/open-runs.js"
import { openRuns } from "./runs/open-runs.js"
import { loadMcpPackage } from "./protocols/mcp/mcp-package.js"
import { mcpServers } from "./protocols/mcp/mcp-server.js"
import type { RefusedFile, ServedWorkflow } from "./workflows/served-workflows.js"
import { startRun } from "./runs/start-run.js"

export interface McpStdioOptions extends ServedOptions {
  /** Stream with the messages of the client, usually stdin. */
  readonly input: Readable
  /** Stream for messages to the client, usually stdout. Nothing else may write to it. */
  readonly output: Writable
  /** Called if the client sends an invalid message. */
  readonly onProblem?: (error: Error) => void
}

/** A running MCP server on stdin and stdout. */
export interface McpStdioServer {
  readonly workflows: readonly ServedWorkflow[]
  readonly refused: readonly RefusedFile[]
  /** Number of runs that were resumed at startup. */
  readonly resumed: number
  /** Resolves when the client has closed the input. */
  readonly ended: Promise<void>
  /** Closes all runs. They are interrupted and can be resumed later. */
  close(): Promise<void>
}

/** Serves workflows as MCP tools over stdin and stdout, to the client that started this process. */
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
