import type { Client as McpClient } from "@modelcontextprotocol/client"
import type { McpConnection } from "../../../../machines/contract/mcp-connection.js"
import { serverNameOf } from "./connection-secrets.js"
import { Client, ProtocolError, ProtocolErrorCode } from "./sdk.js"
import { httpTransport, stdioTransport } from "./transports.js"
import { unreachableServerError } from "./unreachable.js"

/** An open connection to an MCP server. */
export interface ReachedServer {
  readonly client: McpClient
  /** Returns whether the server has a session for the connection. A session can expire. */
  hasSession(): boolean
  /** Resolves when no request on the connection is waiting for a response. */
  idle(): Promise<void>
  /**
   * Closes the connection and stops the server process if the client has started it. Resolves when
   * both are done.
   */
  close(): Promise<void>
}

export interface ConnectOptions {
  /** Maximum time of the connection attempt, in milliseconds. */
  readonly timeoutMs: number
  /** Called when the client or the server has closed the connection. */
  readonly ended: () => void
}

/**
 * Opens a connection to an MCP server.
 *
 * @throws CallFailedError `service_unreachable`, with the original error as its `cause`
 */
export async function connect(
  connection: McpConnection,
  { timeoutMs, ended }: ConnectOptions,
  signal: AbortSignal,
): Promise<ReachedServer> {
  // Over HTTP, the protocol version is negotiated. The negotiation with a program would require a
  // second start of the program.
  const mode = "url" in connection ? "auto" : "legacy"
  const client = new Client(
    { name: "agent-statecharts", version: "1" },
    // With `maxRounds: 0`, the client does not answer requests for input itself. Instead, it throws
    // an error that contains the requests (see `inputRequiredIn`).
    { versionNegotiation: { mode }, inputRequired: { maxRounds: 0 } },
  )
  const { transport, hasSession, idle, leave, printed } =
    "url" in connection ? httpTransport(connection) : await stdioTransport(connection)
  client.onclose = ended
  client.fallbackRequestHandler = async ({ method }) => {
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `agent-statecharts does not support the request "${method}" of an MCP server`,
    )
  }
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
    throw unreachableServerError(
      serverNameOf(connection),
      `cannot be reached: ${why}${printed()}`,
      cause,
    )
  } finally {
    signal.removeEventListener("abort", abort)
  }
}
