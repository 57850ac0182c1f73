import { useEffect, useRef, useState } from "preact/hooks"
import { readEvents } from "../../client/follow-events.js"
import { RunFolds } from "../folds/run-folds.js"

/** Number of earlier events that one request loads. */
const windowSize = 5_000

/**
 * A range of a run's earlier events, loaded from the server because the page keeps only the latest
 * events. Its functions load another range.
 */
export interface EventWindow {
  /**
   * The timeline, usage, chat and other data that the page has computed from the loaded range of
   * events. Null if the latest events are shown.
   */
  readonly folds: RunFolds | null
  readonly isLoading: boolean
  /**
   * Loads a range of events and shows it. The range is around, before or from the event with the
   * given number.
   */
  show(
    range: { readonly around: number } | { readonly before: number } | { readonly from: number },
  ): void
  /** Discards the loaded range and shows the latest events again. */
  close(): void
}

/**
 * Hook that loads ranges of a run's earlier events on request. Only the last loaded range is
 * stored.
 */
export function useEventWindow(runId: string, live: RunFolds): EventWindow {
  const [folds, setFolds] = useState<RunFolds | null>(null)
  const [isLoading, setLoading] = useState(false)
  const stop = useRef(() => {})
  const close = (): void => {
    stop.current()
    setLoading(false)
    setFolds(null)
  }
  // The loaded range belongs to one run, so it is discarded when the run changes.
  useEffect(() => close, [runId])
  return {
    folds,
    isLoading,
    close,
    show(range) {
      const from =
        "from" in range
          ? range.from
          : "before" in range
            ? range.before - windowSize
            : range.around - windowSize / 2
      if (from >= live.first) return close()
      stop.current()
      setLoading(true)
      const start = Math.max(0, from)
      const next = new RunFolds(windowSize)
      stop.current = readEvents(
        runId,
        { from: start, to: Math.min(start + windowSize, live.end) },
        {
          onEvent: (event) => next.apply(event),
          onDone() {
            setLoading(false)
            setFolds(next)
          },
        },
      )
    },
  }
}
