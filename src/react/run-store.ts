import type { PendingRequest, RunEvent, RunResult } from "../machines/index.js"
import type { Run } from "../runtime/index.js"
import { batched } from "./batched.js"

/**
 * A snapshot of a run in this process, which a React component displays. The object is immutable.
 * Each change of the run creates a new object.
 */
export interface RunStoreState {
  readonly result: RunResult | null
  /**
   * The latest events, oldest first. Contains at most the number of events that was passed to
   * `runStore`.
   */
  readonly events: readonly RunEvent[]
  readonly pending: readonly PendingRequest[]
}

/** The latest snapshot of a run, with the functions that React's `useSyncExternalStore` needs. */
export interface RunStore {
  subscribe(changed: () => void): () => void
  view(): RunStoreState
}

const nothing: RunStoreState = { result: null, events: [], pending: [] }

/** An empty store that never changes. A hook uses it for a component that has no run yet. */
export const noRun: RunStore = { subscribe: () => () => {}, view: () => nothing }

/**
 * Creates a store that contains the latest snapshot of a run, for `useSyncExternalStore`. It
 * follows the run while it has a subscriber, and stores at most `keptEvents` events. Several
 * changes in the same event loop task cause a single notification, so the component renders only
 * once, even if a task emits a thousand events.
 */
export function runStore(run: Run, keptEvents: number): RunStore {
  let view: RunStoreState = { ...nothing, result: run.snapshot(), pending: run.pending() }
  return {
    view: () => view,
    subscribe(changed) {
      const fresh: RunEvent[] = []
      let kept: readonly RunEvent[] = []
      let isUnsubscribed = false
      let awaitsSettled = false
      const queueNotify = batched(() => {
        if (isUnsubscribed) return
        kept = [...kept, ...fresh.splice(0)].slice(-keptEvents || Infinity)
        view = { result: run.snapshot(), events: kept, pending: run.pending() }
        changed()
      })
      const subscription = run.events$.subscribe((event) => {
        fresh.push(event)
        // Old events are dropped early, so that a run with many past events needs little memory.
        if (fresh.length > keptEvents * 2) fresh.splice(0, fresh.length - keptEvents)
        queueNotify()
        if (awaitsSettled) return
        // The status is final only when the run has settled, so subscribers are notified again
        // then.
        awaitsSettled = true
        void run.whenSettled().then(() => {
          awaitsSettled = false
          queueNotify()
        })
      })
      return () => {
        isUnsubscribed = true
        subscription.unsubscribe()
      }
    },
  }
}
