import { isTemporary } from "../client/client-error.js"
import type { RemoteRun, RemoteRunResult } from "../client/index.js"
import type { RunEvent } from "../machines/index.js"
import { batched } from "./batched.js"

/**
 * A snapshot of a run on a server, which a React component displays. The object is immutable. Each
 * change of the run creates a new object.
 */
export interface RemoteRunView {
  /** The latest result that the server has sent, null before the first result. */
  readonly result: RemoteRunResult | null
  /**
   * The latest events of the run, oldest first. Older events are dropped when the list exceeds the
   * maximum that was passed to `remoteRunStore`.
   */
  readonly events: readonly RunEvent[]
  readonly isConnected: boolean
  /**
   * The error after which no more updates arrive, for example because the run is unknown. Null if
   * updates can still arrive.
   */
  readonly failure: Error | null
}

/**
 * The latest snapshot of a run on a server, with the functions that React's `useSyncExternalStore`
 * needs.
 */
export interface RemoteRunStore {
  subscribe(onChange: () => void): () => void
  view(): RemoteRunView
}

const emptyView: RemoteRunView = { result: null, events: [], isConnected: false, failure: null }

export const noRemoteRun: RemoteRunStore = { subscribe: () => () => {}, view: () => emptyView }

/**
 * Creates a store that contains the latest snapshot of a run on a server, for
 * `useSyncExternalStore`. It reads the run's event stream while it has a subscriber, and stores at
 * most `keptEvents` events. After new events, it requests the current result. Only one of these
 * requests is in flight at a time, so many events in a short time cause at most two requests.
 */
export function remoteRunStore(run: RemoteRun, keptEvents: number): RemoteRunStore {
  let view = emptyView
  /**
   * The sequence number (`seq`) of the last received event. A new subscription continues with the
   * event after it.
   */
  let last: number | undefined
  return {
    view: () => view,
    subscribe(onChange) {
      const closed = new AbortController()
      const change = (changes: Partial<RemoteRunView>): void => {
        if (closed.signal.aborted) return
        view = { ...view, ...changes }
        onChange()
      }
      const fail = (cause: unknown): void =>
        change({ failure: cause instanceof Error ? cause : new Error(String(cause)) })
      const refresh = refresher(
        async () => change({ result: await run.result() }),
        // A temporary error needs no handling, because the result is requested again when the stream
        // reconnects.
        (cause) => isTemporary(cause) || fail(cause),
      )
      const fresh: RunEvent[] = []
      const addEvents = batched(() => {
        if (closed.signal.aborted) return
        last = fresh.at(-1)?.seq ?? last
        change({ events: [...view.events, ...fresh.splice(0)].slice(-keptEvents || Infinity) })
        refresh()
      })
      const follow = async (): Promise<void> => {
        const options = {
          signal: closed.signal,
          ...(last !== undefined && { after: last }),
        }
        for await (const part of run.stream(options)) {
          if (part.type === "connection") {
            change({ isConnected: part.isConnected })
            if (part.isConnected) refresh()
          } else if (part.type === "event") {
            fresh.push(part.event)
            addEvents()
          }
        }
      }
      follow().catch(fail)
      return () => closed.abort()
    },
  }
}

/**
 * Returns a function that executes `task`. If the function is called while `task` is running,
 * `task` runs once more afterwards, regardless of the number of calls.
 */
function refresher(task: () => Promise<void>, onError: (cause: unknown) => unknown): () => void {
  let isRunning = false
  let isStale = false
  const run = async (): Promise<void> => {
    isRunning = true
    try {
      do {
        isStale = false
        await task()
      } while (isStale)
    } catch (cause) {
      onError(cause)
    } finally {
      isRunning = false
    }
  }
  return () => {
    isStale = true
    if (!isRunning) void run()
  }
}
