import type { RemoteRun } from "../client/index.js"
import type { RunEvent } from "../machines/contract/run-event.js"
import type { Run } from "../runtime/index.js"

/** A run that `<run-chart>` can show. It is a run in this process or a run on a server. */
export type ChartedRun = Pick<Run, "events$"> | Pick<RemoteRun, "events" | "drawing">

/**
 * Calls `onEvent` with each event of a run, starting with the first event. Returns a function that
 * ends the subscription.
 */
export function followRun(
  run: ChartedRun,
  onEvent: (event: RunEvent) => void,
  onError: (cause: unknown) => void,
): () => void {
  if ("events$" in run) {
    const subscription = run.events$.subscribe({ next: onEvent, error: onError })
    return () => subscription.unsubscribe()
  }
  const closed = new AbortController()
  const read = async (): Promise<void> => {
    for await (const event of run.events({ signal: closed.signal })) {
      if (closed.signal.aborted) return
      onEvent(event)
    }
  }
  read().catch((cause: unknown) => {
    if (!closed.signal.aborted) onError(cause)
  })
  return () => closed.abort()
}
