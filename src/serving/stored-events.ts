import type { RunEvent } from "../machines/contract/run-event.js"
import { Deferred } from "../runtime/async/deferred.js"
import type { Journal } from "../runtime/journal/journal.js"
import { runAt } from "../runtime/history/snapshot-at.js"
import { loadRun } from "../runtime/journal/stored-run.js"
import type { EventFeed } from "./live-run.js"

/**
 * Interval in milliseconds between two reads of a run's records, if the journal cannot report new
 * records.
 */
const pollInterval = 700

/**
 * Interval in milliseconds between two reads of a run's records, if the journal reports new
 * records. These reads are still needed, because a report may be lost.
 */
const watchedPollInterval = 10_000

/**
 * Factor that limits how often the journal is read. The minimum pause after a read is the duration
 * of this read multiplied by the factor. A read takes longer the more records the run has.
 */
const pausePerRead = 9

/**
 * Returns an event feed for a run that this process does not execute. The events are computed from
 * the journal records of the run. The method `nextChange` waits for new records, because another
 * process may execute the run. A journal that cannot report changes is polled. Pauses between the
 * reads ensure that reading takes at most 10 % of the time.
 */
export async function storedEvents(journal: Journal, runId: string): Promise<EventFeed> {
  const source = { events: [] as readonly RunEvent[], hasEnded: false }
  let recordCount = -1
  let nextRead = 0
  const readNewRecords = async (): Promise<boolean> => {
    const started = performance.now()
    const stored = await loadRun(journal, runId)
    const isChanged = stored.records.length !== recordCount
    if (isChanged) {
      recordCount = stored.records.length
      source.events = runAt(stored).events
      source.hasEnded = source.events.at(-1)?.type === "run.finished"
    }
    const now = performance.now()
    nextRead = now + pausePerRead * (now - started)
    return isChanged
  }
  await readNewRecords()
  nextRead = 0
  return {
    partialResponses: null,
    get events() {
      return source.events
    },
    get hasEnded() {
      return source.hasEnded
    },
    async nextChange(signal) {
      let change = new Deferred<void>()
      const unwatch = await journal.watch?.(runId, () => change.settle())
      const interval = unwatch === undefined ? pollInterval : watchedPollInterval
      try {
        for (;;) {
          const rest = nextRead - performance.now()
          if (rest > 0) await pause(rest, signal)
          if (signal.aborted || (await readNewRecords())) return
          await pause(interval, signal, change.promise)
          change = new Deferred()
        }
      } finally {
        unwatch?.()
      }
    },
  }
}

/** Resolves after `ms` milliseconds, when `change` resolves, or when `signal` is aborted. */
const pause = (ms: number, signal: AbortSignal, change?: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener("abort", end, { once: true })
    void change?.then(end)
  })
