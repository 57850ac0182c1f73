import type { PendingRequest, RunEvent, RunResult } from "../machines/index.js"
import type { Run } from "../runtime/index.js"

/**
 * A run as it stands, in one value that is replaced when something has happened and never changed.
 */
export interface RunStoreState {
  readonly result: RunResult | null
  /** The last ones, up to as many as are kept. */
  readonly events: readonly RunEvent[]
  readonly pending: readonly PendingRequest[]
}

/** What `useSyncExternalStore` reads. */
export interface RunStore {
  subscribe(changed: () => void): () => void
  view(): RunStoreState
}

const nothing: RunStoreState = { result: null, events: [], pending: [] }

export const noRun: RunStore = { subscribe: () => () => {}, view: () => nothing }

/**
 * Follows a run while somebody is subscribed. What happens in one go is one change, told in a
 * microtask: a run that has a thousand events at once makes a component render once.
 */
export function runStore(run: Run, keptEvents: number): RunStore {
  let view: RunStoreState = { ...nothing, result: run.snapshot(), pending: run.pending() }
  return {
    view: () => view,
    subscribe(changed) {
      const fresh: RunEvent[] = []
      let kept: readonly RunEvent[] = []
      let isPlanned = false
      let isOver = false
      let awaitsRest = false
      const tell = (): void => {
        isPlanned = false
        if (isOver) return
        kept = [...kept, ...fresh.splice(0)].slice(-keptEvents || Infinity)
        view = { result: run.snapshot(), events: kept, pending: run.pending() }
        changed()
      }
      const plan = (): void => {
        if (isPlanned) return
        isPlanned = true
        queueMicrotask(tell)
      }
      const following = run.events$.subscribe((event) => {
        fresh.push(event)
        // No more than are kept, so that a long past costs no more than its end.
        if (fresh.length > keptEvents * 2) fresh.splice(0, fresh.length - keptEvents)
        plan()
        if (awaitsRest) return
        // That a run rests or waits is known only when what led there has been handled.
        awaitsRest = true
        void run.whenSettled().then(() => {
          awaitsRest = false
          plan()
        })
      })
      return () => {
        isOver = true
        following.unsubscribe()
      }
    },
  }
}
