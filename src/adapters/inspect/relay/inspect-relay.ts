import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { WebSocket } from "ws"
import { WebSocketServer } from "ws"
import { requestDeadline } from "../../listen.js"
import { hostIn } from "../../access-check.js"
import { AgentStatechartsError } from "../../../errors.js"
import { RecentMessages } from "./recent-messages.js"
import { viewerPage } from "./viewer-page.js"

export interface InspectRelayOptions {
  /**
   * Additional origins of web pages that may connect as viewers, for example
   * `http://localhost:5173`.
   */
  readonly origins?: readonly string[]
  /** Port to listen on. Default: any free port. */
  readonly port?: number
  /**
   * URL of the viewer that the web page of the relay embeds. Default: `https://stately.ai/inspect`.
   */
  readonly viewer?: string
  /**
   * Maximum total size of the stored messages, in characters. The relay sends the stored messages
   * to viewers that connect later. Default: 32 million.
   */
  readonly remembered?: number
}

/**
 * A channel of the WebSocket relay. The relay forwards each message of a connection to all other
 * connections of the channel and to listeners in this process.
 */
export interface RelayChannel {
  /** WebSocket URL of the channel: `ws://127.0.0.1:PORT/TOKEN/stately`. */
  readonly url: string
  /** Sends a message to all connections of the channel. */
  send(text: string): void
}

export interface InspectRelay {
  /**
   * URL of a web page that embeds the viewer and forwards the messages of the channel `stately` to
   * the viewer.
   */
  readonly page: string
  /**
   * Channel for `statelyInspector`, which may run in this or in another process. The relay stores
   * the messages and sends them to viewers that connect later.
   */
  readonly stately: RelayChannel
  /**
   * Channel for `xstateInspectBridge`. The messages of this channel are not stored, because the
   * bridge sends the current state to new viewers. `onMessage` adds a listener for messages from
   * viewers.
   */
  readonly xstateInspect: RelayChannel & { onMessage(listener: (text: string) => void): void }
  /** Returns the number of open WebSocket connections. */
  connected(): number
  close(): Promise<void>
}

const host = "127.0.0.1"
/** Maximum size of a WebSocket message in bytes. A message contains one snapshot or one chart. */
const maxPayload = 16 * 1024 * 1024

/**
 * Maximum number of bytes that wait to be sent to a viewer. If a viewer reads so slowly that this
 * limit is exceeded, the relay disconnects the viewer to save memory.
 */
const maxUnread = 256 * 1024 * 1024

/**
 * Starts a WebSocket relay that listens on localhost and forwards inspection messages to viewers.
 * Its URLs contain a secret token, so that other web pages and other users of the machine cannot
 * read the messages.
 *
 * @throws AgentStatechartsError `service_unreachable` if the port is in use
 */
export async function startInspectRelay({
  port = 0,
  viewer = "https://stately.ai/inspect",
  remembered = 32_000_000,
  origins = [],
}: InspectRelayOptions = {}): Promise<InspectRelay> {
  const token = randomUUID()
  const server = createServer(requestDeadline(), (request, response) => answer(request, response))
  const sockets = new WebSocketServer({ noServer: true, maxPayload })
  const stately = channel(remembered)
  const xstateInspect = channel(0)
  server.on("upgrade", (request, socket, head) => {
    if (!mayAsk(request))
      return void socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n")
    const to =
      request.url === `/${token}/stately`
        ? stately
        : request.url === `/${token}/xstate-inspect`
          ? xstateInspect
          : null
    if (to === null) return void socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n")
    return sockets.handleUpgrade(request, socket, head, (client) => to.join(client))
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new AgentStatechartsError(
          "service_unreachable",
          `the relay for inspectors cannot listen on ${host}:${port}: ${cause.message}`,
          { cause },
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  const hosts = new Set([`${host}:${bound}`, `localhost:${bound}`])
  const allowed = new Set([new URL(viewer).origin, ...origins])

  /**
   * Returns whether a request may connect to the relay. The host name must be localhost, which
   * prevents DNS rebinding, and the origin must be allowed. Requests without an `Origin` header are
   * allowed, because programs other than browsers do not send this header.
   */
  function mayAsk({ headers }: IncomingMessage): boolean {
    const { host: asked = "", origin } = headers
    return (
      hosts.has(asked) && (origin === undefined || allowed.has(origin) || hostIn(origin) === asked)
    )
  }

  const address = `${host}:${bound}/${token}`
  const url = {
    stately: `ws://${address}/stately`,
    xstateInspect: `ws://${address}/xstate-inspect`,
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (!mayAsk(request)) return void response.writeHead(403).end()
    if (request.url !== `/${token}/`) return void response.writeHead(404).end()
    const { html, contentSecurityPolicy } = viewerPage({
      viewer,
      socket: url.stately,
      nonce: randomUUID(),
    })
    response
      .writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": contentSecurityPolicy,
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      })
      .end(html)
  }

  return {
    page: `http://${address}/`,
    stately: { url: url.stately, send: stately.send },
    xstateInspect: {
      url: url.xstateInspect,
      send: xstateInspect.send,
      onMessage: xstateInspect.onMessage,
    },
    connected: () => sockets.clients.size,
    async close() {
      const left = [...sockets.clients].map(
        (client) => new Promise((resolve) => client.once("close", resolve)),
      )
      for (const client of sockets.clients) client.close(1001)
      const patience = setTimeout(
        () => sockets.clients.forEach((client) => client.terminate()),
        1_000,
      )
      await Promise.all(left)
      clearTimeout(patience)
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

function channel(remembered: number) {
  const members = new Set<WebSocket>()
  const past = new RecentMessages(remembered)
  const listeners: ((text: string) => void)[] = []
  const send = (text: string, from: WebSocket | null = null): void => {
    past.add(text)
    for (const member of members) {
      if (member === from) continue
      if (member.bufferedAmount > maxUnread) member.terminate()
      else member.send(text)
    }
  }
  return {
    send: (text: string) => send(text),
    onMessage: (listener: (text: string) => void) => void listeners.push(listener),
    join(client: WebSocket): void {
      for (const text of past.all()) client.send(text)
      members.add(client)
      client.on("close", () => members.delete(client))
      // The error can be ignored, because the connection is closed after it.
      client.on("error", () => members.delete(client))
      client.on("message", (data, isBinary) => {
        if (isBinary) return
        const text = String(data)
        send(text, client)
        for (const listener of listeners) listener(text)
      })
    },
  }
}
