import type { Clock } from "../driver/host.js"

/** Maximum delay of a JavaScript timer in milliseconds (about 25 days). */
const longestTimer = 2 ** 31 - 1

/** Clock that uses the system time. Its timers support longer delays than `setTimeout`. */
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
