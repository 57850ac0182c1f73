import type { RunEvent } from "../machines/contract/run-event.js"
import type { Journal } from "../runtime/journal/journal.js"
import { runAt } from "../runtime/history/snapshot-at.js"
import { loadRun } from "../runtime/journal/stored-run.js"
import type { EventSource } from "./live-run.js"

/** How often a run of another process is looked at, in milliseconds. */
const every = 700

/** The events of a run that nobody here carries on: what its records lead to, again whenever there are more of them. */
export async function storedEvents(journal: Journal, runId: string): Promise<EventSource> {
  const source = { events: [] as readonly RunEvent[], isOver: false }
  let records = -1
  const look = async (): Promise<boolean> => {
    const stored = await loadRun(journal, runId)
    if (stored.records.length === records) return false
    records = stored.records.length
    source.events = runAt(stored).events
    source.isOver = source.events.at(-1)?.type === "run.finished"
    return true
  }
  await look()
  return {
    saying: null,
    get events() {
      return source.events
    },
    get isOver() {
      return source.isOver
    },
    async changed(signal) {
      while (!signal.aborted && !(await look())) await pause(every, signal)
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
