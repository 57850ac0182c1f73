import type { Clock } from "../driver/host.js"

/** The longest pause that a timer of JavaScript takes. */
const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    const left = at - Date.now()
    if (left > longestTimer) return wakeFarOff(at, wake)
    const timer = setTimeout(wake, Math.max(0, left))
    return () => clearTimeout(timer)
  },
}

function wakeFarOff(at: number, wake: () => void): () => void {
  let stop = (): void => clearTimeout(timer)
  const timer = setTimeout(() => {
    stop = systemClock.wakeAt(at, wake)
  }, longestTimer)
  return () => stop()
}
