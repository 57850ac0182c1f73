import { refuseArgument } from "../../../machines/data/check-arguments.js"
import { connectionFailure } from "./connection-failure.js"
import { defaultMaxResponseBytes, type HttpClient, type HttpClientOptions } from "./http-client.js"
import type { HttpFailure } from "./http-outcome.js"
import { outcomeOf } from "./response-outcome.js"

/**
 * Creates an HTTP client that uses `fetch`, for browsers and workers. It does not follow redirects
 * and does not retry requests. `fetch` cannot check the IP address of a host. Therefore the client
 * rejects calls whose host comes from a template, unless `allowPrivateAddresses` is set.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { maxResponseBytes = defaultMaxResponseBytes, now = Date.now } = options
  for (const name of ["dispatcher", "connectTimeoutMs", "lookup"] as const)
    if (options[name] !== undefined)
      refuseArgument(
        `the option ${name} needs Node. This platform sends requests with fetch. Remove the option.`,
      )
  const closed = new AbortController()

  return {
    async send({ method, url, headers, body, publicOnly = false }, signal, onText) {
      signal.throwIfAborted()
      if (publicOnly)
        return {
          type: "failure",
          code: "host_refused",
          reason:
            "failed: the request was not sent, because its host comes from a template and fetch cannot check that the host has a public address. Write the host in the config, or set allowPrivateAddresses",
          retryable: false,
          body: "",
        }
      if (body !== null && (method === "GET" || method === "HEAD"))
        return {
          type: "failure",
          code: "internal",
          reason: `failed: the request was not sent, because fetch cannot send a body with the method ${method}; use POST`,
          retryable: false,
          body: "",
        }
      const ended = abortWith([signal, closed.signal])
      try {
        const response = await fetch(url, {
          method,
          headers,
          ...(body !== null && { body }),
          signal: ended.signal,
          redirect: "manual",
          // Cookies of the page belong to the person who uses the page, not to the workflow.
          credentials: "omit",
        })
        const outcome = await outcomeOf(response, maxResponseBytes, now, onText)
        signal.throwIfAborted()
        return outcome
      } catch (error) {
        signal.throwIfAborted()
        return explainCors(connectionFailure(error))
      } finally {
        ended.release()
      }
    },
    close() {
      closed.abort(clientClosed())
      return Promise.resolve()
    },
  }
}

/**
 * Adds a suggestion about CORS to a connection failure in a web page. If CORS does not allow a
 * request, `fetch` reports a connection failure without a reason.
 */
const explainCors = (failure: HttpFailure): HttpFailure =>
  typeof location === "undefined" || !(failure.cause instanceof TypeError)
    ? failure
    : {
        ...failure,
        reason: `${failure.reason}; check that the server allows requests from this page (CORS)`,
      }

const clientClosed = (): Error =>
  Object.assign(new Error("the HTTP client is closed; create a new HTTP client"), {
    code: "UND_ERR_CLOSED",
  })

/**
 * Returns a signal that is aborted when any of `signals` is aborted. `release` removes the
 * listeners from `signals`.
 */
function abortWith(signals: readonly AbortSignal[]): {
  readonly signal: AbortSignal
  release(): void
} {
  const controller = new AbortController()
  const listeners = signals.map((signal) => {
    const abort = (): void => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener("abort", abort, { once: true })
    return () => signal.removeEventListener("abort", abort)
  })
  return {
    signal: controller.signal,
    release: () => {
      for (const remove of listeners) remove()
    },
  }
}
