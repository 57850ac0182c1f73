import { isJsonObject } from "../../../machines/data/json-object.js"

interface StreamFailure {
  readonly code: null
  readonly reason: string
  readonly retryable: boolean
  readonly body: string
}

/**
 * Converts an error that a server has sent inside a response stream to a failure. The HTTP status
 * of such a response is 200, but some servers include an error status in the error.
 */
export function streamError(error: unknown): StreamFailure {
  const status = isJsonObject(error) ? Number(error["code"] ?? error["status"]) : Number.NaN
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429
  return {
    code: null,
    reason: "sent an error in the response stream",
    retryable: !isRefused,
    body: typeof error === "string" ? error : JSON.stringify(error),
  }
}
