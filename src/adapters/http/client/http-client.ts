import type { LookupFunction } from "node:net"
import { setImmediate } from "node:timers/promises"
import type { Agent, Dispatcher, request as Request } from "undici"
import { connectionFailure } from "./connection-failure.js"
import type { HttpFailure, HttpOutcome } from "./http-outcome.js"
import { publicLookup } from "./public-address.js"
import { readBody } from "./read-body.js"
import { retryAfterMs } from "./retry-after.js"

export interface HttpClientOptions {
  /**
   * Custom undici dispatcher, for example for a proxy or a test server. `close` of the client does
   * not close it.
   */
  readonly dispatcher?: Dispatcher
  /** Maximum size of a response in bytes. A larger response is a failure. Default: 10 MiB. */
  readonly maxResponseBytes?: number
  /**
   * Timeout for opening a connection, in milliseconds. Default: 10,000. To limit the time for the
   * response, abort the signal of the request.
   */
  readonly connectTimeoutMs?: number
  /** Function that resolves host names. Default: `dns.lookup` of Node. */
  readonly lookup?: LookupFunction
  /**
   * Returns the current time in milliseconds since the epoch. It is used to interpret dates in
   * `Retry-After`.
   */
  readonly now?: () => number
}

export interface HttpCall {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /**
   * Whether to connect only to public addresses. Set it if a template determines the host. Host
   * names are checked after they are resolved. Default: false. Has no effect with a custom
   * `dispatcher`.
   */
  readonly publicOnly?: boolean
}

export interface HttpClient {
  /**
   * Sends a request and resolves to its outcome. Failures are outcomes, too. Rejects only if
   * `signal` is aborted, with its reason. `onText` receives the text of the response as it arrives.
   */
  send(call: HttpCall, signal: AbortSignal, onText?: (text: string) => void): Promise<HttpOutcome>
  /** Closes all sockets. Requests in flight fail. */
  close(): Promise<void>
}

const errorBodyBytes = 64 * 1024

/**
 * Creates an HTTP client with one connection pool. The client does not follow redirects, because a
 * redirect could send secrets to another host. It does not retry requests, because the chart
 * controls retries.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { maxResponseBytes = 10 * 1024 * 1024, connectTimeoutMs = 10_000, now = Date.now } = options
  let opened: Promise<Pools> | null = null
  let isClosed = false
  const open = async (): Promise<Pools> => {
    const pools = await (opened ??= openPools(connectTimeoutMs, options.lookup))
    // Requests to a closed pool fail. This closes a pool that was opened after `close` of the
    // client.
    if (isClosed) await closePools(pools)
    return pools
  }

  return {
    async send(call, signal, onText) {
      signal.throwIfAborted()
      try {
        const { method, headers, body, url, publicOnly = false } = call
        const { request, any, publicOnly: publicPool } = await open()
        const dispatcher = options.dispatcher ?? (publicOnly ? publicPool : any)
        const response = await request(url, {
          method: method as Dispatcher.HttpMethod,
          headers: { ...headers },
          body,
          signal,
          headersTimeout: 0,
          bodyTimeout: 0,
          dispatcher,
        })
        const outcome = await outcomeOf(response, maxResponseBytes, now, onText)
        signal.throwIfAborted()
        return outcome
      } catch (error) {
        signal.throwIfAborted()
        return connectionFailure(error)
      }
    },
    async close() {
      isClosed = true
      if (opened !== null) await closePools(await opened)
      // Node closes the handles of sockets asynchronously, a few turns of the event loop later.
      await setImmediate()
      await setImmediate()
    },
  }
}

/**
 * The function that sends a request, and the connection pools of a client. Requests to public addresses have their own pool, so that they
 * never reuse a socket to a private address.
 */
interface Pools {
  readonly request: typeof Request
  readonly any: Agent
  readonly publicOnly: Agent
}

/**
 * Creates the connection pools. undici is imported with the first request, because its import takes
 * longer than all other imports together.
 */
async function openPools(
  connectTimeoutMs: number,
  lookup: LookupFunction | undefined,
): Promise<Pools> {
  const undici = await import("undici")
  const pool = (resolve: LookupFunction | undefined): Agent =>
    new undici.Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: connectTimeoutMs,
        ...(resolve === undefined ? {} : { lookup: resolve }),
      },
    })
  return { request: undici.request, any: pool(lookup), publicOnly: pool(publicLookup(lookup)) }
}

const closePools = ({ any, publicOnly }: Pools): Promise<unknown> =>
  Promise.all([any.destroy(), publicOnly.destroy()])

async function outcomeOf(
  response: Dispatcher.ResponseData,
  maxResponseBytes: number,
  now: () => number,
  onText: ((text: string) => void) | undefined,
): Promise<HttpOutcome> {
  const { statusCode: status, headers, body } = response
  const encoding = headerText(headers["content-encoding"])
  if (status < 200 || status > 299) {
    // If the body cannot be read, the failure contains only the status.
    const { text } = await readBody(body, encoding, errorBodyBytes).catch(() => ({ text: "" }))
    return errorStatus(status, headers, text, now)
  }
  const failed = (failure: Pick<HttpFailure, "code" | "reason" | "retryable">): HttpFailure => ({
    type: "failure",
    status,
    headers,
    body: "",
    ...failure,
  })
  const tooLarge = failed({
    code: "response_too_large",
    reason: `answered with more than ${maxResponseBytes} bytes (maxResponseBytes)`,
    retryable: false,
  })
  if (Number(headerText(headers["content-length"])) > maxResponseBytes) {
    body.on("error", () => undefined).destroy()
    return tooLarge
  }
  const { text, ended } = await readBody(body, encoding, maxResponseBytes, onText)
  if (ended === "over-limit") return tooLarge
  if (ended === "unknown-encoding") {
    return failed({
      code: "service_answer_malformed",
      reason: `answered in the encoding "${encoding}", which cannot be read`,
      retryable: true,
    })
  }
  return { type: "answer", status, contentType: headerText(headers["content-type"]), headers, text }
}

/**
 * Returns the failure for an HTTP status. Only 408, 429 and 5xx are retryable
 * (docs/semantics.md#retries).
 */
function errorStatus(
  status: number,
  headers: Dispatcher.ResponseData["headers"],
  body: string,
  now: () => number,
): HttpFailure {
  if (status >= 300 && status < 400) {
    const reason = `answered ${status}, a redirect to ${headerText(headers["location"]) || "nowhere"}; redirects are not followed, so configure the final URL`
    return {
      type: "failure",
      code: "redirect_refused",
      reason,
      retryable: false,
      body,
      status,
      headers,
    }
  }
  const retryable = status === 408 || status === 429 || status >= 500
  const wait = retryable ? retryAfterMs(headers["retry-after"], now()) : undefined
  return {
    type: "failure",
    code: null,
    reason: `answered ${status}`,
    retryable,
    body,
    status,
    headers,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

const headerText = (header: string | readonly string[] | undefined): string =>
  typeof header === "string" ? header : (header?.[0] ?? "")
