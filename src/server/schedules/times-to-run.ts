import type { NextDueTime } from "./due-times.js"
import { latestDueTimes } from "./due-times.js"
import type { MissedPolicy } from "./schedule.js"

/**
 * Maximum delay with which a run may start after its due time, in milliseconds. After this delay,
 * the due time counts as missed.
 */
const missedAfterMs = 60_000

/** Maximum number of runs that the policy `run-all` starts for missed due times. */
const maxMissedRuns = 1_000

/**
 * Returns the due times after `after` and not later than `now` at which a schedule must start a
 * run, oldest first. `missed` is the policy for due times that are more than one minute ago.
 */
export function timesToRun(
  next: NextDueTime,
  {
    after,
    now,
    missed,
  }: { readonly after: number; readonly now: number; readonly missed: MissedPolicy },
): readonly number[] {
  const first = next(after)
  if (first === null || first > now) return []
  const isMissed = first < now - missedAfterMs
  if (isMissed && missed === "run-once") return latestDueTimes(next, { after, now, most: 1 })
  return latestDueTimes(next, {
    after: isMissed && missed === "skip" ? Math.max(after, now - missedAfterMs - 1) : after,
    now,
    most: maxMissedRuns,
  })
}
