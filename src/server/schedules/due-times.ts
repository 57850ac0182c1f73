import { Cron } from "croner"
import type { Timing } from "./schedule.js"

/**
 * Returns the first time after `after` at which a schedule starts a run (its due time). Returns
 * null if there is none. Times are in milliseconds since the epoch.
 */
export type NextDueTime = (after: number) => number | null

/**
 * Returns a function that computes the due times of a schedule. In a time zone with daylight saving
 * time, a cron expression with a fixed hour is due once a day. A local time that is skipped by the
 * clock change is due at the change. A local time that occurs twice is due the first time.
 *
 * @throws Error if the cron expression or the time zone is invalid
 */
export function dueTimesOf(timing: Timing): NextDueTime {
  if ("everyMs" in timing) {
    const { everyMs } = timing
    return (after) => (Math.floor(after / everyMs) + 1) * everyMs
  }
  const cron = new Cron(timing.cron, { timezone: timing.timezone, paused: true })
  return (after) => cron.nextRun(new Date(after))?.getTime() ?? null
}

/**
 * Length of the period before the current time in which {@link latestDueTimes} searches first, in
 * milliseconds.
 */
const firstPeriod = 60_000

/**
 * Returns the latest due times of a schedule that are after `after` and not later than `now`,
 * oldest first. Returns at most `most` times. Searches backwards in periods of doubling length, so
 * that it does not visit all due times of a long interruption.
 */
export function latestDueTimes(
  next: NextDueTime,
  { after, now, most }: { readonly after: number; readonly now: number; readonly most: number },
): readonly number[] {
  for (let period = firstPeriod; ; period *= 2) {
    const start = Math.max(after, now - period)
    const found: number[] = []
    for (let due = next(start); due !== null && due <= now; due = next(due)) found.push(due)
    if (start === after || found.length >= most) return found.slice(-most)
  }
}
