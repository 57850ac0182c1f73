import type {
  RequestId,
  StreamableHTTPClientTransport as HttpTransport,
  Transport,
} from "@modelcontextprotocol/client"
import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import { ProtocolErrorCode, StreamableHTTPClientTransport } from "./sdk.js"

/** The way to a server, not yet taken. */
export interface TransportHandle {
  readonly transport: Transport
  readonly hasSession: () => boolean
  /** Settles when nobody waits for an answer any more. */
  readonly idle: () => Promise<void>
  /** Before it is closed: tells the server that its session may go. */
  readonly leave: () => Promise<void>
  /** What the program has printed last, for messages. */
  readonly printed: () => string
}

/** In the error that stands for an answer whose stream has ended before it was there. */
export const cutOff = Object.freeze({ cutOff: true })

/**
 * Over HTTP every request has an answer of its own, which may be a stream. Where a stream ends before the answer is there, the package tells
 * nobody, and whoever asked would wait until his time is up: he gets an error in place of the answer here. Other requests are left alone.
 */
export function httpTransport({
  url,
  headers,
}: Extract<McpConnection, { url: string }>): TransportHandle {
  const transport = new StreamableHTTPClientTransport(
    new URL(url),
    headers === undefined ? {} : { requestInit: { headers: { ...headers } } },
  )
  const unanswered = new Set<RequestId>()
  let tell = (): void => {}
  const answered = (id: RequestId): boolean => {
    const wasOpen = unanswered.delete(id)
    if (unanswered.size === 0) tell()
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
      // Who asked is told himself.
      answered(id)
      throw error
    }
  }
  transport.onmessage = (message) => {
    if (!("method" in message) && message.id !== undefined) answered(message.id)
  }
  transport.onclose = () => {
    unanswered.clear()
    tell()
  }
  const idle = async (): Promise<void> => {
    if (unanswered.size > 0) await new Promise<void>((resolve) => (tell = resolve))
  }
  return {
    transport,
    hasSession: () => transport.sessionId !== undefined,
    idle,
    leave: () => endSession(transport),
    printed: () => "",
  }
}

/** Who has gone away himself is not waited for longer, in milliseconds. */
const patience = 1_000

async function endSession(transport: HttpTransport): Promise<void> {
  if (transport.sessionId === undefined) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)))
  // A server that is not there has no session to end.
  await Promise.race([transport.terminateSession().catch(() => {}), enough])
  clearTimeout(timer)
}

const kept = 2_000

export async function stdioTransport({
  command,
  args,
  env,
}: Extract<McpConnection, { command: string }>): Promise<TransportHandle> {
  // Only who starts programs needs what starts them.
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  const parameters = {
    command,
    ...(args !== undefined && { args: [...args] }),
    ...(env !== undefined && { env: { ...env } }),
  }
  const transport = new StdioClientTransport({ ...parameters, stderr: "pipe" })
  let tail = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    tail = `${tail}${chunk.toString()}`.slice(-kept)
  })
  return {
    transport,
    hasSession: () => false,
    idle: async () => {},
    leave: async () => {},
    printed: () => (tail === "" ? "" : `; it printed: ${tail.trim()}`),
  }
}
