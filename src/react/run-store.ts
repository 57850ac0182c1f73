import type { PendingRequest, RunEvent, RunResult } from "../machines/index.js"
import type { Run } from "../runtime/index.js"

/** The state of a run for components. Each change creates a new object. */
export interface RunStoreState {
  readonly result: RunResult | null
  /** The last events, oldest first, up to the configured number. */
  readonly events: readonly RunEvent[]
  readonly pending: readonly PendingRequest[]
}

/** The store that `useSyncExternalStore` reads. */
export interface RunStore {
  subscribe(changed: () => void): () => void
  view(): RunStoreState
}

const nothing: RunStoreState = { result: null, events: [], pending: [] }

/** The store of a component without a run. */
export const noRun: RunStore = { subscribe: () => () => {}, view: () => nothing }

/**
 * Creates a store that follows a run while it has subscribers. All changes of one task cause one
 * notification, so a component renders once for a thousand events.
 */
export function runStore(run: Run, keptEvents: number): RunStore {
  let view: RunStoreState = { ...nothing, result: run.snapshot(), pending: run.pending() }
  return {
    view: () => view,
    subscribe(changed) {
      const fresh: RunEvent[] = []
      let kept: readonly RunEvent[] = []
      let isNotifyQueued = false
      let isUnsubscribed = false
      let awaitsSettled = false
      const notify = (): void => {
        isNotifyQueued = false
        if (isUnsubscribed) return
        kept = [...kept, ...fresh.splice(0)].slice(-keptEvents || Infinity)
        view = { result: run.snapshot(), events: kept, pending: run.pending() }
        changed()
      }
      const queueNotify = (): void => {
        if (isNotifyQueued) return
        isNotifyQueued = true
        queueMicrotask(notify)
      }
      const subscription = run.events$.subscribe((event) => {
        fresh.push(event)
        // Drops old events early, so that a long past needs little memory.
        if (fresh.length > keptEvents * 2) fresh.splice(0, fresh.length - keptEvents)
        queueNotify()
        if (awaitsSettled) return
        // The status after an event is only known when the run has settled.
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
