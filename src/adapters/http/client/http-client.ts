import type { LookupFunction } from "node:net"
import type { Dispatcher } from "undici"
import type { HttpFailure, HttpOutcome, ResponseHeaders } from "./http-outcome.js"
import { retryAfterMs } from "./retry-after.js"

export interface HttpClientOptions {
  /**
   * Custom undici dispatcher, for example for a proxy or a test server. The method `close` of the
   * client does not close the dispatcher. Only on Node.
   */
  readonly dispatcher?: Dispatcher
  /** Maximum size of a response body in bytes. A larger response is a failure. Default: 10 MiB. */
  readonly maxResponseBytes?: number
  /**
   * Timeout for opening a connection, in milliseconds. Default: 10,000. To limit the time for the
   * response, abort the signal of the request. Only on Node.
   */
  readonly connectTimeoutMs?: number
  /** Function that resolves host names. Default: `dns.lookup`. Only on Node. */
  readonly lookup?: LookupFunction
  /**
   * Returns the current time in milliseconds since the epoch. The client uses it to interpret dates
   * in `Retry-After` headers.
   */
  readonly now?: () => number
}

export interface HttpCall {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /**
   * Whether the client may connect only to public IP addresses. Set this if a template determines
   * the host. The check uses the addresses to which the host name resolves. It has no effect if the
   * client has a custom `dispatcher`. Default: false.
   */
  readonly publicOnly?: boolean
}

export interface HttpClient {
  /**
   * Sends an HTTP request and resolves to its outcome, which is a response or a failure. Rejects
   * only if `signal` is aborted, with the reason of the signal. `onText` receives the text of the
   * response as it arrives.
   */
  send(call: HttpCall, signal: AbortSignal, onText?: (text: string) => void): Promise<HttpOutcome>
  /** Closes all sockets. Requests in flight fail. */
  close(): Promise<void>
}

/**
 * A function that creates an HTTP client. The client does not follow redirects, because a redirect
 * could send secrets to another host. It does not retry requests, because the statechart of the
 * workflow controls retries.
 */
export type CreateHttpClient = (options?: HttpClientOptions) => HttpClient

/** Maximum number of bytes that are read from the body of an error response. */
export const errorBodyBytes = 64 * 1024

export const defaultMaxResponseBytes = 10 * 1024 * 1024

/** The status and the headers of a response, which determine whether the response is a failure. */
interface ResponseHead {
  readonly status: number
  readonly headers: ResponseHeaders
}

/**
 * Returns the first value of a response header. Returns an empty string if the header is missing.
 */
export function headerText({ headers }: ResponseHead, name: string): string {
  const header = headers[name]
  return typeof header === "string" ? header : (header?.[0] ?? "")
}

export const isSuccess = ({ status }: ResponseHead): boolean => status >= 200 && status <= 299

/**
 * Converts a response with an error status to a failure. Only the statuses 408, 429 and 5xx are
 * retryable (docs/semantics.md#retries).
 */
export function errorStatus(head: ResponseHead, body: string, now: () => number): HttpFailure {
  const { status, headers } = head
  if (status >= 300 && status < 400) {
    const reason = `answered ${status}, a redirect to ${headerText(head, "location") || "nowhere"}; redirects are not followed, so configure the final URL`
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
    ...(wait !== undefined && { retryAfterMs: wait }),
  }
}

/**
 * Returns the failure for a response with a successful status but an unusable body, for example a
 * body that is too large.
 */
export function unusableResponse(
  { status, headers }: ResponseHead,
  failure: Pick<HttpFailure, "code" | "reason" | "retryable">,
): HttpFailure {
  return { type: "failure", status, headers, body: "", ...failure }
}

export const responseTooLarge = (head: ResponseHead, maxResponseBytes: number): HttpFailure =>
  unusableResponse(head, {
    code: "response_too_large",
    reason: `answered with more than ${maxResponseBytes} bytes; to allow larger responses, increase maxResponseBytes`,
    retryable: false,
  })
