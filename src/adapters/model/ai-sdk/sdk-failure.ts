import { CallFailedError, type CallFailure } from "../../../machines/contract/services.js"
import { retryAfterMs } from "../../http/client/retry-after.js"
import { explainContextLength } from "../context-length.js"
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoContentGeneratedError,
  NoOutputGeneratedError,
  TypeValidationError,
} from "./sdk.js"

const malformed = [
  JSONParseError,
  TypeValidationError,
  InvalidResponseDataError,
  NoContentGeneratedError,
  NoOutputGeneratedError,
]

/**
 * Converts an error of the SDK or of a provider to a `CallFailedError`, which also states whether
 * the call is retryable.
 */
export function sdkFailure(error: unknown, subject: string): CallFailedError {
  if (error instanceof CallFailedError) return error
  return new CallFailedError(explainContextLength(failureOf(error, subject)), { cause: error })
}

function failureOf(error: unknown, subject: string): CallFailure {
  const message = `${subject}: ${wordsOf(error)}`
  if (APICallError.isInstance(error)) {
    const { statusCode: status, responseHeaders, isRetryable } = error
    if (status === undefined) return { code: "service_unreachable", message, retryable: true }
    if (status < 300)
      return {
        code: isLost(error.cause) ? "service_unreachable" : "service_answer_malformed",
        message,
        retryable: true,
        status,
      }
    const wait = isRetryable
      ? retryAfterMs(responseHeaders?.["retry-after"], Date.now())
      : undefined
    return {
      code: "model_call_failed",
      message: `${subject}: answered ${status}: ${wordsOf(error)}`,
      retryable: isRetryable,
      status,
      ...(wait !== undefined && { retryAfterMs: wait }),
    }
  }
  if (malformed.some((each) => each.isInstance(error)))
    return { code: "service_answer_malformed", message, retryable: true }
  if (isLost(error)) return { code: "service_unreachable", message, retryable: true }
  // An error value in a stream was sent by the server, so the call is retryable. An `Error` is a
  // wrong use of the SDK.
  return { code: "model_call_failed", message, retryable: !(error instanceof Error) }
}

/** Returns whether the connection was lost. `fetch` reports this as a `TypeError` with a cause. */
const isLost = (error: unknown): boolean =>
  error instanceof TypeError &&
  (/fetch failed|terminated|network/i.test(error.message) || error.cause !== undefined)

function wordsOf(error: unknown): string {
  const text =
    error instanceof Error
      ? error.message
      : typeof error === "string"
        ? error
        : JSON.stringify(error)
  const cause =
    error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ""
  const line = `${text}${cause}`.replace(/[\s\p{Cc}]+/gu, " ").trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
