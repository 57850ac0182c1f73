import type { Clock } from "../driver/host.js"

/** The longest delay of a JavaScript timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** The system clock with timers of any length. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(time, wake) {
    const left = time - Date.now()
    if (left > longestTimer) return wakeFarOff(time, wake)
    const timer = setTimeout(wake, Math.max(0, left))
    return () => clearTimeout(timer)
  },
}

function wakeFarOff(time: number, wake: () => void): () => void {
  let stop = (): void => clearTimeout(timer)
  const timer = setTimeout(() => {
    stop = systemClock.wakeAt(time, wake)
  }, longestTimer)
  return () => stop()
}
