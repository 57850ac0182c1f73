import type { Transport } from "@modelcontextprotocol/client"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { McpConnection } from "../../../machines/mcp-connection.js"

/** The way to a server, not yet taken. */
export interface Way {
  readonly transport: Transport
  readonly hasSession: () => boolean
  /** Before it is closed: tells the server that its session may go. */
  readonly leave: () => Promise<void>
  /** What the program has printed last, for messages. */
  readonly printed: () => string
}

/**
 * Over HTTP every request has an answer of its own, which may be a stream. Where a stream ends before the answer is there, nobody
 * tells whoever asked: `broke` is called then, so that he does not wait until his time is up.
 */
export function httpTransport({ url, headers }: Extract<McpConnection, { url: string }>, broke: () => void): Way {
  const transport = new StreamableHTTPClientTransport(new URL(url), headers === undefined ? {} : { requestInit: { headers: { ...headers } } })
  const unanswered = new Set<unknown>()
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    const id = !Array.isArray(message) && "method" in message && "id" in message ? message.id : undefined
    if (id === undefined) return send(message, options)
    unanswered.add(id)
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.()
      if (unanswered.delete(id)) broke()
    }
    try {
      await send(message, { ...options, onRequestStreamEnd })
    } catch (error) {
      // Who asked is told himself.
      unanswered.delete(id)
      throw error
    }
  }
  transport.onmessage = (message) => {
    if (!("method" in message) && "id" in message) unanswered.delete(message.id)
  }
  return { transport, hasSession: () => transport.sessionId !== undefined, leave: () => endSession(transport), printed: () => "" }
}

/** Who has gone away himself is not waited for longer, in milliseconds. */
const patience = 1_000

async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId === undefined) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)))
  // A server that is not there has no session to end.
  await Promise.race([transport.terminateSession().catch(() => {}), enough])
  clearTimeout(timer)
}

const kept = 2_000

export async function stdioTransport({ command, args, env }: Extract<McpConnection, { command: string }>): Promise<Way> {
  // Only who starts programs needs what starts them.
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  const parameters = { command, ...(args !== undefined && { args: [...args] }), ...(env !== undefined && { env: { ...env } }) }
  const transport = new StdioClientTransport({ ...parameters, stderr: "pipe" })
  let tail = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    tail = `${tail}${chunk.toString()}`.slice(-kept)
  })
  return { transport, hasSession: () => false, leave: async () => {}, printed: () => (tail === "" ? "" : `; it printed: ${tail.trim()}`) }
}
