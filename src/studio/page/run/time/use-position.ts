import { useEffect, useState } from "preact/hooks"
import type { RunPosition } from "../../client/run-hash.js"
import { positionIn, runHash } from "../../client/run-hash.js"

/**
 * Returns the shown position in the past and a function that changes it. null shows the end of the
 * run. The position is stored in the URL, so copied links and reloads keep it.
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
