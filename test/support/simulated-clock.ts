import type { Clock } from "../../src/runtime/driver/host.js"

export interface SimulatedClock extends Clock {
  /**
   * Lets the time pass to the next timer, again and again, while anything waits for one; awaits what it sets off, and as long as
   * something is busy that takes real time, such as a disk.
   */
  runUntilIdle(isBusy?: () => boolean): Promise<void>
  /** How many timers are set. */
  readonly waiting: number
  /** Sets the clock by so much, back or ahead. What waits does not wait longer or shorter for it. */
  jump(by: number): void
}

/** A clock that stands until it is told to go on: tests have no sleeps. */
export function simulatedClock(start = 1_700_000_000_000): SimulatedClock {
  let now = start
  let set = 0
  const timers = new Map<object, { readonly at: number; readonly wake: () => void }>()
  const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => now + set,
    wakeAt(at, wake) {
      const key = {}
      timers.set(key, { at: at - set, wake })
      return () => timers.delete(key)
    },
    get waiting() {
      return timers.size
    },
    jump(by) {
      set += by
    },
    async runUntilIdle(isBusy = () => false) {
      const settle = async (): Promise<void> => {
        do await soon()
        while (isBusy())
      }
      await settle()
      while (timers.size > 0) {
        const [key, { at, wake }] = [...timers].reduce((earliest, timer) =>
          timer[1].at < earliest[1].at ? timer : earliest,
        )
        timers.delete(key)
        now = Math.max(now, at)
        wake()
        await settle()
      }
    },
  }
}
