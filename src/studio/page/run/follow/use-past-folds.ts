import { useEffect, useMemo, useState } from "preact/hooks"
import { readEvents } from "../../client/follow-events.js"
import { foldsAfter, RunFolds } from "../folds/run-folds.js"

/**
 * Hook that returns the data that the page computes from the first `count` events of a run. Returns
 * null if `count` is null. If the page has dropped some of these events, it loads them again and
 * returns null until they are loaded.
 */
export function usePastFolds(runId: string, live: RunFolds, count: number | null): RunFolds | null {
  // Events that were dropped once are never kept again.
  const isKept = live.first === 0
  const kept = useMemo(
    () => (count !== null && isKept ? foldsAfter(live.events, count) : null),
    [live, count, isKept],
  )
  const [loaded, setLoaded] = useState<RunFolds | null>(null)
  useEffect(() => {
    setLoaded(null)
    if (count === null || isKept) return
    const folds = new RunFolds()
    if (count === 0) return setLoaded(folds)
    return readEvents(
      runId,
      { from: 0, to: count },
      { onEvent: (event) => folds.apply(event), onDone: () => setLoaded(folds) },
    )
  }, [runId, count, isKept])
  return kept ?? loaded
}
