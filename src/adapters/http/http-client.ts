import type { LookupFunction } from "node:net"
import { setImmediate } from "node:timers/promises"
import { Agent, type Dispatcher, request } from "undici"
import { connectionFailure } from "./connection-failure.js"
import type { HttpFailure, HttpOutcome } from "./http-outcome.js"
import { publicLookup } from "./public-address.js"
import { readBody } from "./read-body.js"
import { retryAfterMs } from "./retry-after.js"

export interface HttpClientOptions {
  /** Another way out: a proxy, a stand-in for tests. It stays open when the client is closed. */
  readonly dispatcher?: Dispatcher
  /** Larger answers fail, and are not read any further. Default 10 MiB. */
  readonly maxResponseBytes?: number
  /** Default 10 seconds. The time for an answer is the caller's business: it ends a call by its signal. */
  readonly connectTimeoutMs?: number
  /** How names become addresses; Node's `dns.lookup` unless given. */
  readonly lookup?: LookupFunction
  /** Milliseconds since the epoch; for `Retry-After` dates. */
  readonly now?: () => number
}

export interface HttpCall {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Connects to public addresses only, whatever the name of the host means: for hosts that come from a template. Default false. A `dispatcher` of the options connects as it does. */
  readonly publicOnly?: boolean
}

export interface HttpClient {
  /** Rejects with the signal's reason when it aborts, and never otherwise: failures are outcomes. `onText` is told the text of an answer as it comes. */
  send(call: HttpCall, signal: AbortSignal, onText?: (text: string) => void): Promise<HttpOutcome>
  /** Ends all sockets; calls in flight fail. */
  close(): Promise<void>
}

const errorBodyBytes = 64 * 1024

/**
 * One pool of connections for all calls. Follows no redirect and repeats nothing: whether there is another attempt is decided
 * by the chart, once, and a redirect could carry secrets to another host.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { maxResponseBytes = 10 * 1024 * 1024, connectTimeoutMs = 10_000, now = Date.now } = options
  const pool = (lookup: LookupFunction | undefined): Agent =>
    new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: connectTimeoutMs, ...(lookup === undefined ? {} : { lookup }) },
    })
  // Two of them, so that a socket to a private address is never taken for a call that may not have one.
  const own =
    options.dispatcher === undefined
      ? { any: pool(options.lookup), publicOnly: pool(publicLookup(options.lookup)) }
      : null

  return {
    async send(call, signal, onText) {
      signal.throwIfAborted()
      try {
        const { method, headers, body, url, publicOnly = false } = call
        const dispatcher = options.dispatcher ?? own?.[publicOnly ? "publicOnly" : "any"]
        const response = await request(url, {
          method: method as Dispatcher.HttpMethod,
          headers: { ...headers },
          body,
          signal,
          headersTimeout: 0,
          bodyTimeout: 0,
          ...(dispatcher === undefined ? {} : { dispatcher }),
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
      await Promise.all([own?.any.destroy(), own?.publicOnly.destroy()])
      // Node frees the handles of sockets in the turns after.
      await setImmediate()
      await setImmediate()
    },
  }
}

async function outcomeOf(
  response: Dispatcher.ResponseData,
  maxResponseBytes: number,
  now: () => number,
  onText: ((text: string) => void) | undefined,
): Promise<HttpOutcome> {
  const { statusCode: status, headers, body } = response
  const encoding = headerText(headers["content-encoding"])
  if (status < 200 || status > 299) {
    // The status says enough where the body cannot be read.
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

/** Only the statuses 408, 429 and 5xx are retried (docs/semantics.md#retries). */
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
