import type {
  RequestId,
  StreamableHTTPClientTransport as HttpTransport,
  Transport,
} from "@modelcontextprotocol/client"
import type { McpConnection } from "../../../../machines/contract/mcp-connection.js"
import { fetchWithAuthorization } from "./authorization.js"
import { moveTask } from "./created-task.js"
import { ProtocolErrorCode, StreamableHTTPClientTransport } from "./sdk.js"

/** A transport (HTTP or a program) to an MCP server that is not connected yet. */
export interface TransportHandle {
  readonly transport: Transport
  readonly hasSession: () => boolean
  /** Resolves when no request on the transport is waiting for a response. */
  readonly idle: () => Promise<void>
  /** Ends the session on the MCP server. It must be called before the transport is closed. */
  readonly leave: () => Promise<void>
  /**
   * Returns the last output of the server program on stderr, for error messages. If the transport
   * uses HTTP, returns an empty string.
   */
  readonly printed: () => string
}

/**
 * Marks the error that is reported if the stream of a response ends early. The error contains this
 * object in its field `data`.
 */
export const cutOff = Object.freeze({ cutOff: true })

/**
 * Creates a transport to an MCP server over streamable HTTP. If the stream of a response ends
 * early, this transport rejects the request immediately. The MCP package does not report this
 * error, so the request would otherwise wait until its timeout.
 */
export function httpTransport({
  url,
  headers,
}: Extract<McpConnection, { url: string }>): TransportHandle {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: fetchWithAuthorization(url),
    ...(headers !== undefined && { requestInit: { headers: { ...headers } } }),
  })
  const unanswered = new Set<RequestId>()
  let notifyIdle = (): void => {}
  const answered = (id: RequestId): boolean => {
    const wasOpen = unanswered.delete(id)
    if (unanswered.size === 0) notifyIdle()
    return wasOpen
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    const id =
      !Array.isArray(message) && "method" in message && "id" in message ? message.id : undefined
    if (id === undefined) return send(message, options)
    unanswered.add(id)
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.()
      if (answered(id))
        transport.onmessage?.({
          jsonrpc: "2.0",
          id,
          error: {
            code: ProtocolErrorCode.InternalError,
            message: "the stream ended before the response arrived",
            data: cutOff,
          },
        })
    }
    try {
      await send(message, { ...options, onRequestStreamEnd })
    } catch (error) {
      // The error is reported to the caller of `send`.
      answered(id)
      throw error
    }
  }
  transport.onmessage = (message) => {
    if (!("method" in message) && message.id !== undefined) answered(message.id)
    moveTask(message)
  }
  transport.onclose = () => {
    unanswered.clear()
    notifyIdle()
  }
  const idle = async (): Promise<void> => {
    if (unanswered.size > 0) await new Promise<void>((resolve) => (notifyIdle = resolve))
  }
  return {
    transport,
    hasSession: () => transport.sessionId !== undefined,
    idle,
    leave: () => endSession(transport),
    printed: () => "",
  }
}

/** Maximum time in milliseconds to wait until an MCP server has ended a session. */
const sessionEndTimeout = 1_000

async function endSession(transport: HttpTransport): Promise<void> {
  if (transport.sessionId === undefined) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, sessionEndTimeout)))
  // Errors are ignored. If the server cannot be reached, there is no session to end.
  await Promise.race([transport.terminateSession().catch(() => {}), timeout])
  clearTimeout(timer)
}

/** Maximum number of characters of a program's stderr output that are stored for error messages. */
const maxOutput = 2_000

/**
 * Creates a transport that starts an MCP server as a program and communicates over its stdin and
 * stdout.
 */
export async function stdioTransport({
  command,
  args,
  env,
}: Extract<McpConnection, { command: string }>): Promise<TransportHandle> {
  // The module is imported only when a server is a program, because most servers use HTTP.
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  const parameters = {
    command,
    ...(args !== undefined && { args: [...args] }),
    ...(env !== undefined && { env: { ...env } }),
  }
  const transport = new StdioClientTransport({ ...parameters, stderr: "pipe" })
  transport.onmessage = moveTask
  let tail = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    tail = `${tail}${chunk.toString()}`.slice(-maxOutput)
  })
  return {
    transport,
    hasSession: () => false,
    idle: async () => {},
    leave: async () => {},
    printed: () => (tail === "" ? "" : `; it printed: ${tail.trim()}`),
  }
}
