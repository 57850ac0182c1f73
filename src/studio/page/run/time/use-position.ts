import { useEffect, useState } from "preact/hooks"
import type { RunPosition } from "../../client/run-hash.js"
import { positionIn, runHash } from "../../client/run-hash.js"

/**
 * Returns the position in the run's past that the page shows, and a function that changes it. null
 * stands for the end of the run. The URL stores the position, so copied links and reloads keep it.
 */
export function usePosition(
  runId: string,
): readonly [RunPosition | null, (position: RunPosition | null) => void] {
  const [position, setPosition] = useState(() => positionIn(location.hash))
  useEffect(() => {
    const onHashChange = (): void => setPosition(positionIn(location.hash))
    addEventListener("hashchange", onHashChange)
    return () => removeEventListener("hashchange", onHashChange)
  }, [])
  return [
    position,
    (next) => {
      // Each step of a slider would otherwise be an entry of the browser history.
      history.replaceState(history.state, "", runHash(runId, next))
      setPosition(next)
    },
  ]
}
