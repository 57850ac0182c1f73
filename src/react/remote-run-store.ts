import { isTemporary } from "../client/client-error.js"
import type { RemoteRun, RemoteRunResult } from "../client/index.js"
import type { RunEvent } from "../machines/index.js"

/** What a component shows of a run on a server. A new value replaces it after each change. */
export interface RemoteRunView {
  /** Latest result; null until the first response of the server. */
  readonly result: RemoteRunResult | null
  /** The last events, oldest first. */
  readonly events: readonly RunEvent[]
  readonly isConnected: boolean
  /** Error that ended the updates, for example an unknown run; null while they continue. */
  readonly failure: Error | null
}

/** The store that `useSyncExternalStore` reads. */
export interface RemoteRunStore {
  subscribe(onChange: () => void): () => void
  view(): RemoteRunView
}

const emptyView: RemoteRunView = { result: null, events: [], isConnected: false, failure: null }

export const noRemoteRun: RemoteRunStore = { subscribe: () => () => {}, view: () => emptyView }

/**
 * Creates a store that follows the event stream of a run while it has a subscriber. It reads the
 * result again after new events, one request at a time, so a burst of events causes two requests
 * at most.
 */
export function remoteRunStore(run: RemoteRun, keptEvents: number): RemoteRunStore {
  let view = emptyView
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
        // After an interruption, the next connection of the stream reads the result again.
        (cause) => isTemporary(cause) || fail(cause),
      )
      const fresh: RunEvent[] = []
      const addEvents = batched(() => {
        change({ events: [...view.events, ...fresh.splice(0)].slice(-keptEvents) })
        refresh()
      })
      const follow = async (): Promise<void> => {
        const after = view.events.at(-1)?.seq
        const options = { signal: closed.signal, ...(after === undefined ? {} : { after }) }
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

/** Returns a function that calls `task` in the next microtask, once for all calls until then. */
function batched(task: () => void): () => void {
  let isPlanned = false
  return () => {
    if (isPlanned) return
    isPlanned = true
    queueMicrotask(() => {
      isPlanned = false
      task()
    })
  }
}

/** Returns a function that runs `task`, and runs it once more if it is called meanwhile. */
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
