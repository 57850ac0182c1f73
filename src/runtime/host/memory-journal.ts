import { AgentStatechartsError } from "../../errors.js"
import { runExists, runOwned } from "../journal/journal-errors.js"
import type {
  Journal,
  JournalHeader,
  JournalRecord,
  StoredRunStatus,
  RunSummary,
  StoredRun,
} from "../journal/journal.js"

export interface MemoryJournal extends Journal {
  list(): readonly RunSummary[]
  /** All runs as plain JSON, which another `memoryJournal` can be made from. */
  toJSON(): Readonly<Record<string, StoredRun>>
}

interface KeptRun {
  readonly header: JournalHeader
  readonly records: JournalRecord[]
  standing: StoredRunStatus | null
}

export interface MemoryJournalOptions {
  /**
   * Default true. Otherwise a run is forgotten when it has ended, and while it rests between two invocations: it cannot be resumed, forked or listed
   * then, and costs nothing once nobody holds it.
   */
  readonly keepEnded?: boolean
}

/** Keeps runs in this process only. With the JSON of another one it starts with that one's runs, which nobody owns. */
export function memoryJournal(
  stored: Readonly<Record<string, StoredRun>> = {},
  { keepEnded = true }: MemoryJournalOptions = {},
): MemoryJournal {
  const runs = new Map<string, KeptRun>()
  const owned = new Set<string>()
  /** By what their runs hold, so that they go with them. */
  const forgotten = new WeakMap<JournalHeader, KeptRun>()
  for (const [runId, { header, records }] of Object.entries(stored))
    runs.set(runId, { header, records: [...records], standing: null })
  return {
    forgets: !keepEnded,
    create(header) {
      if (runs.has(header.runId)) throw runExists(header.runId)
      runs.set(header.runId, forgotten.get(header) ?? { header, records: [], standing: null })
      owned.add(header.runId)
    },
    append(runId, record) {
      const run = runs.get(runId)
      if (run === undefined)
        throw new AgentStatechartsError("run_unknown", `there is no run "${runId}" in this journal`)
      run.records.push(record)
      run.standing = null
    },
    load(runId) {
      const run = runs.get(runId)
      return run === undefined ? null : { header: run.header, records: run.records }
    },
    acquire(runId) {
      if (owned.has(runId)) throw runOwned(runId, "this process")
      if (runs.has(runId)) owned.add(runId)
    },
    release(runId) {
      owned.delete(runId)
      const run = runs.get(runId)
      if (
        keepEnded ||
        run === undefined ||
        run.standing === null ||
        run.standing.status === "running" ||
        run.standing.status === "waiting"
      )
        return
      runs.delete(runId)
      forgotten.set(run.header, run)
    },
    note(runId, standing) {
      const run = runs.get(runId)
      if (run !== undefined) run.standing = standing
    },
    list: () =>
      [...runs.values()].map(({ header: { runId, chart, at }, standing }) => ({
        runId,
        chart: chart.id,
        startedAt: at,
        status: standing?.status ?? "running",
        pending: standing?.pending ?? [],
        owner: owned.has(runId) ? "this process" : null,
      })),
    toJSON: () =>
      Object.fromEntries(
        [...runs].map(([runId, { header, records }]) => [runId, { header, records }]),
      ),
  }
}
