import type { Client as McpClient } from "@modelcontextprotocol/client"
import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import { placeOf } from "./connection-secrets.js"
import { Client } from "./sdk.js"
import { httpTransport, stdioTransport } from "./transports.js"
import { unreachable } from "./unreachable.js"

/** A server that answers. */
export interface ReachedServer {
  readonly client: McpClient
  /** Whether the server keeps a session for it, which it may forget. */
  hasSession(): boolean
  /** Settles when nobody waits for an answer over it any more. */
  idle(): Promise<void>
  /** Ends the connection, and the program behind it where there is one; settles when that is done. */
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly timeoutMs: number
  /** Called when the connection has ended, whoever ended it. */
  readonly ended: () => void
}

/**
 * Connects to an MCP server.
 *
 * @throws CallFailedError `service_unreachable`; `cause` is what the attempt came to.
 */
export async function connect(
  connection: McpConnection,
  { timeoutMs, ended }: ConnectOptions,
  signal: AbortSignal,
): Promise<ReachedServer> {
  // Servers of both generations of the protocol are spoken to over HTTP; a program would have to be started twice to find out.
  const mode = "url" in connection ? "auto" : "legacy"
  const client = new Client(
    { name: "agent-statecharts", version: "1" },
    { versionNegotiation: { mode } },
  )
  const { transport, hasSession, idle, leave, printed } =
    "url" in connection ? httpTransport(connection) : await stdioTransport(connection)
  client.onclose = ended
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => (closing ??= leave().then(() => client.close()))
  const abort = (): void => void close()
  signal.addEventListener("abort", abort, { once: true })
  try {
    await client.connect(transport, { timeout: timeoutMs, signal })
    signal.throwIfAborted()
    return { client, hasSession, idle, close }
  } catch (cause) {
    await close()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw unreachable(placeOf(connection), `cannot be reached: ${why}${printed()}`, cause)
  } finally {
    signal.removeEventListener("abort", abort)
  }
}
