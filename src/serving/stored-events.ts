import type { RunEvent } from "../machines/contract/run-event.js"
import type { Journal } from "../runtime/journal/journal.js"
import { runAt } from "../runtime/history/snapshot-at.js"
import { loadRun } from "../runtime/journal/stored-run.js"
import type { EventFeed } from "./live-run.js"

/** Interval in milliseconds at which the journal is checked for new records of a run. */
const pollInterval = 700

/**
 * Returns the event list of a run that this process does not execute. The events are computed from
 * the journal records. While `nextChange` is pending, the journal is checked at regular intervals,
 * because another process may execute the run.
 */
export async function storedEvents(journal: Journal, runId: string): Promise<EventFeed> {
  const source = { events: [] as readonly RunEvent[], hasEnded: false }
  let recordCount = -1
  const readNewRecords = async (): Promise<boolean> => {
    const stored = await loadRun(journal, runId)
    if (stored.records.length === recordCount) return false
    recordCount = stored.records.length
    source.events = runAt(stored).events
    source.hasEnded = source.events.at(-1)?.type === "run.finished"
    return true
  }
  await readNewRecords()
  return {
    partialResponses: null,
    get events() {
      return source.events
    },
    get hasEnded() {
      return source.hasEnded
    },
    async nextChange(signal) {
      while (!signal.aborted && !(await readNewRecords())) await pause(pollInterval, signal)
    },
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener("abort", end, { once: true })
  })
