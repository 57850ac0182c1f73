import { useEffect, useState } from "preact/hooks"

/** Milliseconds between two updates of the displayed time. */
const interval = 250

/**
 * Returns the current time. While `isRunning` is true, the component is rendered again regularly
 * with the new time.
 */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
