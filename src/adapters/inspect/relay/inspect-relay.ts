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
  /** Origins of pages that may connect as viewers, as `http://localhost:5173`, beside the relay's own and that of `viewer`. */
  readonly origins?: readonly string[]
  /** Any free one unless given. */
  readonly port?: number
  /** The viewer that its page shows; https://stately.ai/inspect unless given, a hosted page. */
  readonly viewer?: string
  /** Characters that a channel remembers for viewers that come late; 32 million unless given. */
  readonly remembered?: number
}

/** What one kind of viewer speaks; all who are connected to it hear each other, and the process that has the relay. */
export interface RelayChannel {
  /** Where viewers connect to: `ws://127.0.0.1:PORT/TOKEN/stately`. */
  readonly url: string
  /** To all that are connected. */
  send(text: string): void
}

export interface InspectRelay {
  /** A page that shows the viewer and hands it what is sent to `stately`. */
  readonly page: string
  /** For `statelyInspector`, in this process or another: what is sent is remembered for viewers that come late. */
  readonly stately: RelayChannel
  /** For `xstateInspectBridge`, which knows itself what a late viewer has to be told: `heard` is given what viewers say. */
  readonly xstateInspect: RelayChannel & { hear(heard: (text: string) => void): void }
  /** How many viewers and senders are connected. */
  connected(): number
  close(): Promise<void>
}

const host = "127.0.0.1"
/** A message is one snapshot or chart; a larger one is none of ours. */
const maxPayload = 16 * 1024 * 1024

/** Bytes: a viewer that does not read is let go before it fills the memory. */
const maxUnread = 256 * 1024 * 1024

/**
 * Listens on this machine only, under addresses that nobody can guess: another page in the same browser, or another user, cannot read
 * along.
 *
 * @throws AgentStatechartsError `service_unreachable` where the port is taken.
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

  /** Programs send no `Origin`. A name other than the relay's is one that a page has given this machine's address (DNS rebinding). */
  function mayAsk({ headers }: IncomingMessage): boolean {
    const { host: asked = "", origin } = headers
    return (
      hosts.has(asked) && (origin === undefined || allowed.has(origin) || hostIn(origin) === asked)
    )
  }

  const at = `${host}:${bound}/${token}`
  const url = { stately: `ws://${at}/stately`, xstateInspect: `ws://${at}/xstate-inspect` }

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
    page: `http://${at}/`,
    stately: { url: url.stately, send: stately.send },
    xstateInspect: { url: url.xstateInspect, send: xstateInspect.send, hear: xstateInspect.hear },
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
  const hearers: ((text: string) => void)[] = []
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
    hear: (heard: (text: string) => void) => void hearers.push(heard),
    join(client: WebSocket): void {
      for (const text of past.all()) client.send(text)
      members.add(client)
      client.on("close", () => members.delete(client))
      // Whatever broke it, it is closed next.
      client.on("error", () => members.delete(client))
      client.on("message", (data, isBinary) => {
        if (isBinary) return
        const text = String(data)
        send(text, client)
        for (const heard of hearers) heard(text)
      })
    },
  }
}
