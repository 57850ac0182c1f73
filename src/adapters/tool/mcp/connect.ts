import type { Transport } from "@modelcontextprotocol/client"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { McpConnection } from "../../../machines/agent-chart.js"
import { AgentStatechartsError } from "../../../errors.js"
import { placeOf } from "./connection-secrets.js"

interface Reached {
  readonly transport: Transport
  /** What the program has printed last, for messages. */
  readonly printed: () => string
}

/** Connects to an MCP server; `closed` is called when the connection has ended, whoever ended it. */
export async function connect(connection: McpConnection, timeoutMs: number, closed: () => void): Promise<Client> {
  // Servers of both generations of the protocol are spoken to over HTTP; a program would have to be started twice to find out.
  const mode = "url" in connection ? "auto" : "legacy"
  const client = new Client({ name: "agent-statecharts", version: "1" }, { versionNegotiation: { mode } })
  client.onclose = closed
  const { transport, printed } = "url" in connection ? overHttp(connection) : await overStdio(connection)
  try {
    await client.connect(transport, { timeout: timeoutMs })
    return client
  } catch (cause) {
    await client.close()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AgentStatechartsError("service_unreachable", `the MCP server ${placeOf(connection)} cannot be reached: ${why}${printed()}`, { cause })
  }
}

function overHttp({ url, headers }: Extract<McpConnection, { url: string }>): Reached {
  const requestInit = headers === undefined ? {} : { requestInit: { headers: { ...headers } } }
  return { transport: new StreamableHTTPClientTransport(new URL(url), requestInit), printed: () => "" }
}

const kept = 2_000

async function overStdio({ command, args, env }: Extract<McpConnection, { command: string }>): Promise<Reached> {
  // Only who starts programs needs what starts them.
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  const parameters = { command, ...(args !== undefined && { args: [...args] }), ...(env !== undefined && { env: { ...env } }) }
  const transport = new StdioClientTransport({ ...parameters, stderr: "pipe" })
  let tail = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    tail = `${tail}${chunk.toString()}`.slice(-kept)
  })
  return { transport, printed: () => (tail === "" ? "" : `; it printed: ${tail.trim()}`) }
}
