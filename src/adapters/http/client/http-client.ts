import type { LookupFunction } from "node:net"
import { setImmediate } from "node:timers/promises"
import type { Agent, Dispatcher } from "undici"
import { connectionFailure } from "./connection-failure.js"
import type { HttpFailure, HttpOutcome } from "./http-outcome.js"
import { publicLookup } from "./public-address.js"
import { readBody } from "./read-body.js"
import { retryAfterMs } from "./retry-after.js"

export interface HttpClientOptions {
  /**
   * Custom undici dispatcher, for example a proxy or a test server. It stays open when the client
   * is closed.
   */
  readonly dispatcher?: Dispatcher
  /** Maximum response size in bytes; larger responses fail. Default 10 MiB. */
  readonly maxResponseBytes?: number
  /**
   * Connection timeout in milliseconds. Default 10,000. The caller limits the response time with
   * its signal.
   */
  readonly connectTimeoutMs?: number
  /** Resolves host names. Default: Node's `dns.lookup`. */
  readonly lookup?: LookupFunction
  /** Returns the time in milliseconds since the epoch, for `Retry-After` dates. */
  readonly now?: () => number
}

export interface HttpCall {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /**
   * Connects to public addresses only, also after name resolution; for hosts from a template.
   * Default false. Has no effect with a custom `dispatcher`.
   */
  readonly publicOnly?: boolean
}

export interface HttpClient {
  /**
   * Sends a request. Failures are returned as outcomes; rejects only with the reason of an aborted
   * signal. `onText` receives the response text as it arrives.
   */
  send(call: HttpCall, signal: AbortSignal, onText?: (text: string) => void): Promise<HttpOutcome>
  /** Closes all sockets. Calls in flight fail. */
  close(): Promise<void>
}

const errorBodyBytes = 64 * 1024

/**
 * Creates an HTTP client with one connection pool. It follows no redirects, because they could send
 * secrets to another host, and it does not retry, because the chart decides about retries.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { maxResponseBytes = 10 * 1024 * 1024, connectTimeoutMs = 10_000, now = Date.now } = options
  let opened: Promise<Pools> | null = null
  let isClosed = false
  const open = async (): Promise<Pools> => {
    const pools = await (opened ??= openPools(connectTimeoutMs, options.lookup))
    // A closed pool rejects requests, also if it is opened after the client was closed.
    if (isClosed) await closePools(pools)
    return pools
  }

  return {
    async send(call, signal, onText) {
      signal.throwIfAborted()
      try {
        const { method, headers, body, url, publicOnly = false } = call
        const { request } = await import("undici")
        const dispatcher = options.dispatcher ?? (await open())[publicOnly ? "publicOnly" : "any"]
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
      // Node closes socket handles asynchronously, a few turns later.
      await setImmediate()
      await setImmediate()
    },
  }
}

/** Two pools, so that a socket to a private address is never reused for a public-only call. */
interface Pools {
  readonly any: Agent
  readonly publicOnly: Agent
}

/** Imports undici with the first request, because the import takes longer than all other imports. */
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
  return { any: pool(lookup), publicOnly: pool(publicLookup(lookup)) }
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
    // If the body cannot be read, the status is sufficient.
    const { text } = await readBody(body, encoding, errorBodyBytes).catch(() => ({ text: "" }))
    return errorStatus(status, headers, text, now)
  }
  const failed = (failure: Pick<HttpFailure, "code" | "reason" | "retryable">): HttpFailure => ({
    type: "failure",
    status,
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
  return { type: "answer", status, contentType: headerText(headers["content-type"]), text }
}

/**
 * Returns the failure of an HTTP status. Only 408, 429 and 5xx are retried
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
    return { type: "failure", code: "redirect_refused", reason, retryable: false, body: "", status }
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
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

const headerText = (header: string | readonly string[] | undefined): string =>
  typeof header === "string" ? header : (header?.[0] ?? "")
