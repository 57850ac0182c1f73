import type { Activity } from "../contract/activity.js"
import type { CallFailure } from "../contract/services.js"

/** Time limits of a call. The host ends the call at the earlier of the two. */
export interface CallLimits {
  /** Timeout of one attempt, in milliseconds; null: the default of the runner. */
  readonly timeoutMs: number | null
  /** Deadline of all attempts, in milliseconds since the epoch; null: no deadline. */
  readonly deadline: number | null
}

export const limitsOf = (activity: Activity, startedAt: number): CallLimits => ({
  timeoutMs: activity.startToCloseMs,
  deadline: activity.scheduleToCloseMs === null ? null : startedAt + activity.scheduleToCloseMs,
})

/** How long a service can delay the next attempt with `Retry-After` if the retry policy has no `maximumInterval`. */
const maxRetryAfterMs = 3_600_000

/**
 * Returns the time of the next attempt of a failed call, or null if there is none (docs/semantics.md#retries). Only some failures are
 * retried, `maximumAttempts` includes the first attempt, and no attempt starts after the deadline. `Retry-After` can delay an
 * attempt by at most `maximumInterval`.
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
