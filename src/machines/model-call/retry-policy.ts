import type { Activity } from "../contract/activity.js"
import type { CallFailure } from "../contract/services.js"

/** Time limits of a call of a model or a tool. The call ends at the first limit that it reaches. */
export interface CallLimits {
  /**
   * Timeout of each attempt, in milliseconds. If null, the default timeout of the runner applies.
   */
  readonly timeoutMs: number | null
  /**
   * Time at which the call, including all attempts, must have ended, in milliseconds since the
   * epoch. If null, there is no such limit.
   */
  readonly deadline: number | null
  /**
   * Maximum time between two parts of a streamed response, in milliseconds. If absent, there is no
   * limit.
   */
  readonly idleMs?: number
}

export const limitsOf = (activity: Activity, startedAt: number): CallLimits => ({
  timeoutMs: activity.startToCloseMs,
  deadline: activity.scheduleToCloseMs === null ? null : startedAt + activity.scheduleToCloseMs,
})

/**
 * Maximum delay, in milliseconds, that a service can request with the header `Retry-After`. Used if
 * the retry settings have no `maximumInterval`.
 */
const maxRetryAfterMs = 3_600_000

/**
 * Returns the time of the next attempt after a failed attempt, in milliseconds since the epoch.
 * Returns null if the call is not retried (docs/semantics.md#retries). Only failures that may be
 * temporary are retried. `maximumAttempts` includes the first attempt, and no attempt starts at or
 * after the deadline. `Retry-After` can delay an attempt by at most `maximumInterval`.
 */
export function nextAttemptAt(
  activity: Activity,
  attempt: number,
  startedAt: number,
  failure: CallFailure,
  now: number,
): number | null {
  if (!failure.retryable || attempt >= activity.maximumAttempts) return null
  const grown = activity.initialIntervalMs * activity.backoffCoefficient ** (attempt - 1)
  const interval =
    activity.maximumIntervalMs === null ? grown : Math.min(grown, activity.maximumIntervalMs)
  const wanted = Math.min(failure.retryAfterMs ?? 0, activity.maximumIntervalMs ?? maxRetryAfterMs)
  const due = now + Math.max(interval, wanted)
  const { deadline } = limitsOf(activity, startedAt)
  return deadline !== null && due >= deadline ? null : due
}
