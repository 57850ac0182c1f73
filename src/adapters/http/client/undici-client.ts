import type { LookupFunction } from "node:net"
import { setImmediate } from "node:timers/promises"
// Bun replaces the module "undici" with its own module, which has no connection pools. It does not
// replace this path.
import { Agent, type Dispatcher, request } from "undici/index.js"
import { connectionFailure } from "./connection-failure.js"
import {
  defaultMaxResponseBytes,
  errorBodyBytes,
  errorStatus,
  headerText,
  type HttpClient,
  type HttpClientOptions,
  isSuccess,
  responseTooLarge,
  unusableResponse,
} from "./http-client.js"
import type { HttpOutcome } from "./http-outcome.js"
import { publicLookup } from "./public-lookup.js"
import { readBody } from "./read-body.js"

/**
 * Creates an HTTP client for Node with a connection pool of undici. Requests with `publicOnly` use
 * a second pool, so that they never reuse a socket to a private address.
 */
export function openUndiciClient({
  dispatcher,
  connectTimeoutMs = 10_000,
  lookup,
  maxResponseBytes = defaultMaxResponseBytes,
  now = Date.now,
}: HttpClientOptions): HttpClient {
  const pool = (resolve: LookupFunction | undefined): Agent =>
    new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: connectTimeoutMs,
        ...(resolve !== undefined && { lookup: resolve }),
      },
    })
  const pools = { any: pool(lookup), publicOnly: pool(publicLookup(lookup)) }

  return {
    async send(call, signal, onText) {
      signal.throwIfAborted()
      try {
        const { method, headers, body, url, publicOnly = false } = call
        const response = await request(url, {
          method,
          headers: { ...headers },
          body,
          signal,
          headersTimeout: 0,
          bodyTimeout: 0,
          dispatcher: dispatcher ?? pools[publicOnly ? "publicOnly" : "any"],
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
      await Promise.all([pools.any.destroy(), pools.publicOnly.destroy()])
      // Node closes the handles of sockets asynchronously, a few turns of the event loop later.
      await setImmediate()
      await setImmediate()
    },
  }
}

async function outcomeOf(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  maxResponseBytes: number,
  now: () => number,
  onText: ((text: string) => void) | undefined,
): Promise<HttpOutcome> {
  const head = { status, headers }
  const encoding = headerText(head, "content-encoding")
  if (!isSuccess(head)) {
    // If the body cannot be read, the failure contains only the status.
    const { text } = await readBody(body, encoding, errorBodyBytes).catch(() => ({ text: "" }))
    return errorStatus(head, text, now)
  }
  if (Number(headerText(head, "content-length")) > maxResponseBytes) {
    body.on("error", () => undefined).destroy()
    return responseTooLarge(head, maxResponseBytes)
  }
  const { text, ended } = await readBody(body, encoding, maxResponseBytes, onText)
  if (ended === "over-limit") return responseTooLarge(head, maxResponseBytes)
  if (ended === "unknown-encoding")
    return unusableResponse(head, {
      code: "service_answer_malformed",
      reason: `answered in the encoding "${encoding}", which cannot be read`,
      retryable: true,
    })
  return { type: "answer", status, contentType: headerText(head, "content-type"), headers, text }
}
