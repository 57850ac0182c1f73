import type { Clock } from "../../src/runtime/driver/host.js"

export interface SimulatedClock extends Clock {
  /**
   * Advances the time to the next timer until no timer is left. After each timer, it waits for the effects of the timer, and while
   * `isBusy` returns true, for example because of a disk.
   */
  runUntilIdle(isBusy?: () => boolean): Promise<void>
  /** The number of active timers. */
  readonly waiting: number
  /** Moves the clock forward or back. The remaining time of each timer stays the same. */
  jump(by: number): void
}

/** Creates a clock that advances only on request, so tests do not need to sleep. */
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
