import {
  CallFailedError,
  type CallFailure,
  type CallIdentity,
} from "../../../machines/contract/services.js"
import { attemptText } from "../../../machines/data/attempt-text.js"
import { statusAdvice } from "../../http/client/status-advice.js"
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
 * Converts an error of the AI SDK or of a provider to a `CallFailedError`, and determines whether
 * the model call is retryable.
 */
export function sdkFailure(
  error: unknown,
  subject: string,
  request: CallIdentity,
): CallFailedError {
  if (error instanceof CallFailedError) return error
  return new CallFailedError(explainContextLength(failureOf(error, subject, request)), {
    cause: error,
  })
}

function failureOf(error: unknown, subject: string, request: CallIdentity): CallFailure {
  const message = `${subject}: ${messageOf(error)}`
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
    const advice = statusAdvice(status, isRetryable, request)
    return {
      code: "model_call_failed",
      message: `${subject}: answered ${status} (${attemptText(request)}): ${messageOf(error)}${advice === "" ? "" : `. ${advice}`}`,
      retryable: isRetryable,
      status,
      ...(wait !== undefined && { retryAfterMs: wait }),
    }
  }
  if (malformed.some((each) => each.isInstance(error)))
    return { code: "service_answer_malformed", message, retryable: true }
  if (isLost(error)) return { code: "service_unreachable", message, retryable: true }
  if (isStreamError(error)) {
    const { statusCode: status, isRetryable } = error
    return {
      code: "model_call_failed",
      message,
      retryable: status === undefined || isRetryable,
      ...(status !== undefined && { status }),
    }
  }
  // A value that is not an `Error` was sent by the server in a stream, so the call is retryable. An
  // `Error` of any other kind means that the SDK was used incorrectly.
  return { code: "model_call_failed", message, retryable: !(error instanceof Error) }
}

/**
 * Returns whether an error is the wrapper that AI SDK 7 throws for an error in a stream. AI SDK 6
 * does not wrap such errors.
 */
const isStreamError = (
  error: unknown,
): error is Error & { readonly statusCode?: number; readonly isRetryable: boolean } =>
  error instanceof Error && error.name === "AI_StreamProviderError"

/**
 * Returns whether an error means that the connection was lost. `fetch` reports a lost connection as
 * a `TypeError` with a cause.
 */
const isLost = (error: unknown): boolean =>
  error instanceof TypeError &&
  (/fetch failed|terminated|network/i.test(error.message) || error.cause !== undefined)

function messageOf(error: unknown): string {
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
