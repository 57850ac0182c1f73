import { useEffect, useState } from "preact/hooks"

/** Milliseconds between two updates of the time that `useNow` returns. */
const interval = 250

/**
 * Hook that returns the current time in milliseconds since the epoch. While `isRunning` is true, it
 * renders the component every 250 ms with the new time.
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
