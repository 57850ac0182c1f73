import type { Clock } from "../../runtime/index.js"

/** A simulated clock whose time changes only when one of its methods is called. */
export interface ManualClock extends Clock {
  /** Moves the clock to the next timer and fires the timer. Returns false if no timer is set. */
  advance(): boolean
  /** Moves the clock to a time in milliseconds, and fires all timers that are due by then. */
  advanceTo(time: number): void
}

export function manualClock(start: number): ManualClock {
  let now = start
  const timers = new Set<{ readonly time: number; readonly wake: () => void }>()
  const next = () =>
    [...timers].reduce<{ readonly time: number; readonly wake: () => void } | null>(
      (earliest, timer) => (earliest === null || timer.time < earliest.time ? timer : earliest),
      null,
    )
  const advance = (until: number): boolean => {
    const timer = next()
    if (timer === null || timer.time > until) return false
    timers.delete(timer)
    now = Math.max(now, timer.time)
    timer.wake()
    return true
  }
  return {
    now: () => now,
    wakeAt(time, wake) {
      const timer = { time, wake }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: () => advance(Infinity),
    advanceTo(time) {
      while (advance(time));
      now = Math.max(now, time)
    },
  }
}
