import type { Clock } from "../host.js"

/** The longest pause that a timer of JavaScript takes. */
const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    let timer: ReturnType<typeof setTimeout>
    const arm = (): void => {
      const left = at - Date.now()
      timer = left > longestTimer ? setTimeout(arm, longestTimer) : setTimeout(wake, Math.max(0, left))
    }
    arm()
    return () => clearTimeout(timer)
  },
}
