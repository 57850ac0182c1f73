import type { FailureClass } from "../contract/activity.js"
import type { CallFailure } from "../contract/services.js"

/**
 * Returns the class of a failed model call. Returns null if another model cannot help, because the
 * cause is a limit, a policy, a callback or the configuration.
 */
export function failureClassOf({
  code,
  status,
  retryable,
  reason,
}: CallFailure): FailureClass | null {
  if (reason !== undefined) return reason
  switch (code) {
    case "service_timeout":
      return "timeout"
    case "service_unreachable":
    case "connection_lost":
      return "unavailable"
    case "service_answer_malformed":
    case "response_too_large":
      return "malformed"
    case "model_call_failed":
      return status === undefined ? (retryable ? "unavailable" : "refused") : classOfStatus(status)
    default:
      return null
  }
}

function classOfStatus(status: number): FailureClass {
  if (status === 408) return "timeout"
  if (status === 429) return "rate_limited"
  return status >= 500 ? "unavailable" : "refused"
}
