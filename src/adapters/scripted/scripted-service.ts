import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setImmediate } from "node:timers/promises"
import { createAdaptorServer, type HttpBindings } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import { Hono } from "hono"
import type { Dispatcher } from "undici"
import { requestDeadline } from "../listen.js"
import { type IncomingRequest, readRequest, type RequestRecord } from "./request-record.js"
import { routeEverythingTo } from "./route-everything.js"
import { readScenario, type Scenario } from "./scenario.js"
import { type ScriptedKind, type ScriptEntry, startOfScript } from "./script-position.js"
import { exhaustedResponse, responseFor } from "./write-reply.js"

export interface ScriptedServiceOptions {
  /** Port to listen on. Default: 0, which selects any free port. */
  readonly port?: number
  /** Host name or IP address to listen on. Default: `127.0.0.1`. */
  readonly host?: string
  /** Called with a line of text for each completed request, for example to print a log. */
  readonly log?: (line: string) => void
  /** Maximum time to receive a complete request, in milliseconds. Default: 60,000. */
  readonly requestTimeoutMs?: number
}

/**
 * Number of calls of each kind. The kinds are model calls (`llm`), tool calls (`tool`) and requests
 * of graph nodes (`http`).
 */
export type CallCounts = Readonly<Record<ScriptedKind, number>>

/**
 * A running HTTP server for tests. It answers requests to models and tools, and requests of graph
 * nodes, with scripted responses.
 */
export interface ScriptedService {
  readonly url: string
  readonly port: number
  /** All requests that have arrived, oldest first. */
  readonly requests: readonly RequestRecord[]
  /**
   * Requests for which the script had no response. The service answered these requests with status
   * 500.
   */
  readonly exhausted: readonly RequestRecord[]
  /** Number of calls in progress, by kind of call (`llm`, `tool`, `http`). */
  readonly inFlight: CallCounts
  /** Maximum number of simultaneous calls so far, by kind of call (`llm`, `tool`, `http`). */
  readonly maxInFlight: CallCounts
  /** Returns the scripted responses that no request has used. */
  unused(): readonly ScriptEntry[]
  /**
   * Marks the next responses of an agent or tool as used. `answers` is the number of these
   * responses. Call this method if another process has already received these responses.
   */
  skip(kind: ScriptedKind, id: string, answers: number): void
  /** Marks all scripted responses as unused and deletes the recorded requests. */
  reset(): void
  /**
   * Creates an undici dispatcher that sends all requests to this service, regardless of their URL.
   * The dispatcher is closed together with the service.
   */
  dispatcher(): Dispatcher
  /**
   * Adds a listener that is called for each request before the response is sent. Returns a function
   * that removes the listener.
   */
  onRequest(listener: (request: RequestRecord) => void): () => void
  /** Stops the service and closes all connections. */
  close(): Promise<void>
}

/**
 * Starts a local HTTP service with scripted responses of models and tools. `scenario` contains the
 * responses. It is a scenario as JSON, or the result of {@link readScenario}.
 *
 * @example
 * const service = await startScriptedService({ llm: { writer: [{ content: "Done.", exitFlow: true }] } })
 * // an agent "writer" whose URL is `${service.url}/writer`, or any URL with createHttpServices({ dispatcher: service.dispatcher() })
 * await service.close()
 */
export async function startScriptedService(
  scenario: unknown,
  options: ScriptedServiceOptions = {},
): Promise<ScriptedService> {
  const { port = 0, host = "127.0.0.1", log, requestTimeoutMs } = options
  const script = isScenario(scenario) ? scenario : readScenario(scenario)
  let position = startOfScript(script)
  let requests: Writable<RequestRecord>[] = []
  let exhausted: RequestRecord[] = []
  let calls = noCalls()
  let inFlight = { llm: 0, tool: 0, http: 0 }
  let maxInFlight = { llm: 0, tool: 0, http: 0 }
  const listeners = new Set<(request: RequestRecord) => void>()
  // Functions that end the delays of waiting responses, so that the service can close.
  const waiting = new Set<() => void>()
  const dispatchers: Dispatcher[] = []
  const protocols = new Map<number, string>()

  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    text: string,
  ): Promise<Response> => {
    const request: IncomingRequest = {
      method: incoming.method ?? "GET",
      url: requestedUrl(incoming, protocols),
      headers: headersOf(incoming),
      text,
    }
    const { call, ...about } = readRequest(request, position)
    const { kind, id } = about
    const nth = calls[kind].get(id) ?? 0
    calls[kind].set(id, nth + 1)
    const record: Writable<RequestRecord> = {
      ...about,
      nth,
      method: request.method,
      url: request.url,
      headers: request.headers,
      at: Date.now(),
      finishedAt: null,
      aborted: false,
      status: null,
    }
    requests.push(record)
    // `reset` replaces the counters. This call continues to use its own counters.
    const counts = inFlight
    counts[kind]++
    maxInFlight[kind] = Math.max(maxInFlight[kind], counts[kind])
    outgoing.once("close", () => {
      counts[kind]--
      record.finishedAt = Date.now()
      record.aborted = !outgoing.writableFinished && entry?.answer.reply.type !== "reset"
      log?.(lineOf(record))
    })
    const entry = position.take(kind, id, call)
    if (entry === null) exhausted.push(record)
    for (const listener of listeners) listener(record)
    if (entry !== null && entry.answer.delayMs > 0)
      await delay(entry.answer.delayMs, outgoing, waiting)
    const response =
      entry === null
        ? exhaustedResponse(beyondScript(kind, id, nth, position.length(kind, id)))
        : responseFor(entry.answer.reply, request)
    if (response === null || outgoing.destroyed) {
      incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    record.status = response.status
    return response
  }

  const app = new Hono<{ Bindings: HttpBindings }>()
  app.all("*", async (context) =>
    answer(context.env.incoming, context.env.outgoing, await context.req.text()),
  )
  // Without this handler, Hono would print an error when a client disconnects.
  app.onError(() => new Response(null, { status: 400 }))
  // By default, the adapter replaces the global classes `Request` and `Response`.
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: requestDeadline(requestTimeoutMs),
  }) as Server
  // Clients close idle connections earlier than this, so no request uses a connection that is being
  // closed.
  server.keepAliveTimeout = 65_000
  await listening(server, port, host)
  const address = server.address() as AddressInfo

  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    get requests() {
      return requests
    },
    get exhausted() {
      return exhausted
    },
    get inFlight() {
      return { ...inFlight }
    },
    get maxInFlight() {
      return { ...maxInFlight }
    },
    unused: () => position.unused(),
    skip(kind, id, answers) {
      for (let n = 0; n < answers; n++) position.take(kind, id, { text: "", state: null })
      calls[kind].set(id, (calls[kind].get(id) ?? 0) + answers)
    },
    reset() {
      position = startOfScript(script)
      requests = []
      exhausted = []
      calls = noCalls()
      inFlight = { llm: 0, tool: 0, http: 0 }
      maxInFlight = { llm: 0, tool: 0, http: 0 }
    },
    dispatcher() {
      const dispatcher = routeEverythingTo(host, address.port, protocols)
      dispatchers.push(dispatcher)
      return dispatcher
    },
    onRequest(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      for (const end of waiting) end()
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()))
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      // Node releases the handles of sockets in later turns of the event loop.
      await setImmediate()
      await setImmediate()
    },
  }
}

const isScenario = (value: unknown): value is Scenario =>
  typeof value === "object" && value !== null && "llm" in value && value.llm instanceof Map

/**
 * Creates empty call counters. For each kind of call, the counters are a map from the id of an
 * agent, tool or graph node to the number of calls.
 */
const noCalls = (): Readonly<Record<ScriptedKind, Map<string, number>>> => ({
  llm: new Map(),
  tool: new Map(),
  http: new Map(),
})

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, () => {
      server.off("error", reject)
      resolve()
    })
  })
}

/** Waits until the delay of a response is over, the client disconnects, or the service closes. */
function delay(ms: number, outgoing: ServerResponse, waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      outgoing.off("close", end)
      waiting.delete(end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    outgoing.once("close", end)
    waiting.add(end)
  })
}

function requestedUrl(incoming: IncomingMessage, protocols: ReadonlyMap<number, string>): string {
  const protocol = protocols.get(incoming.socket.remotePort ?? 0) ?? "http:"
  return `${protocol}//${incoming.headers.host ?? "localhost"}${incoming.url ?? "/"}`
}

const headersOf = (incoming: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  )

const subjects = { llm: "agent", tool: "tool", http: "node" } as const

const nameOf = (kind: ScriptedKind, id: string): string => `${subjects[kind]} "${id}"`

const beyondScript = (kind: ScriptedKind, id: string, nth: number, length: number): string =>
  `the script has no response for call ${nth + 1} of ${nameOf(kind, id)}; it has ${length === 0 ? "no responses" : length === 1 ? "one response" : `${length} responses`} for it`

function lineOf(record: RequestRecord): string {
  const end = record.aborted ? "client disconnected" : (record.status ?? "reset")
  return `${nameOf(record.kind, record.id)} call ${record.nth + 1}: ${record.method} ${record.url} -> ${end} after ${(record.finishedAt ?? record.at) - record.at} ms`
}
