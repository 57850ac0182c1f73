import { useEffect, useState } from "preact/hooks"
import type { RunPosition } from "../../client/run-hash.js"
import { positionIn, runHash } from "../../client/run-hash.js"

/**
 * Hook that returns the selected position in the history of a run, and a function that changes it.
 * Null stands for the end of the run. The position is part of the URL, so reloads and copied links
 * show the same position.
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
