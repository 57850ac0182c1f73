import type { Clock } from "../../src/runtime/host.js"

export interface SimulatedClock extends Clock {
  /** Lets the time pass to the next timer, again and again, while anything waits for one; awaits what it sets off. */
  runUntilIdle(): Promise<void>
}

/** A clock that stands until it is told to go on: tests have no sleeps. */
export function simulatedClock(start = 1_700_000_000_000): SimulatedClock {
  let now = start
  const timers = new Map<object, { readonly at: number; readonly wake: () => void }>()
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    wakeAt(at, wake) {
      const key = {}
      timers.set(key, { at, wake })
      return () => timers.delete(key)
    },
    async runUntilIdle() {
      await settle()
      while (timers.size > 0) {
        const [key, { at, wake }] = [...timers].reduce((earliest, timer) => (timer[1].at < earliest[1].at ? timer : earliest))
        timers.delete(key)
        now = Math.max(now, at)
        wake()
        await settle()
      }
    },
  }
}
