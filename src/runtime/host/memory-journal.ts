import { AgentStatechartsError } from "../../errors.js"
import { runExists, runOwned } from "../journal/journal-errors.js"
import { callerOf, startedAtOf, timesOf } from "../journal/journal.js"
import type {
  CompleteJournal,
  Journal,
  JournalHeader,
  JournalRecord,
  StoredRunStatus,
  RunSummary,
  StoredRun,
} from "../journal/journal.js"

/**
 * A journal that stores runs in the memory of this process. When the process ends, the runs are
 * lost.
 */
export interface MemoryJournal extends CompleteJournal, Pick<Journal, "forgets"> {
  list(): readonly RunSummary[]
  delete(runId: string): void
  /**
   * Returns all runs by run id, as plain JSON. Pass the result to `memoryJournal` to restore the
   * runs.
   */
  toJSON(): Readonly<Record<string, StoredRun>>
}

interface RunInMemory {
  readonly header: JournalHeader
  readonly records: JournalRecord[]
  status: StoredRunStatus | null
}

export interface MemoryJournalOptions {
  /**
   * If true, all runs stay in memory. If false, a run is deleted from memory when it has ended or
   * waits for the next user message (adk dialect). A deleted run cannot be resumed, forked or
   * listed. Default: true.
   */
  readonly keepEnded?: boolean
}

/**
 * Creates a journal in memory. `stored` contains initial runs, in the format that `toJSON` of the
 * journal returns. No process owns the initial runs.
 */
export function memoryJournal(
  stored: Readonly<Record<string, StoredRun>> = {},
  { keepEnded = true }: MemoryJournalOptions = {},
): MemoryJournal {
  const runs = new Map<string, RunInMemory>()
  const owned = new Set<string>()
  /**
   * Runs that the journal has deleted, for example because they wait for the next user message. If
   * such a run continues, it calls `create` with the same header object, which restores its
   * records.
   *
   * The key is the header object. When the header is garbage collected, the records are freed too.
   */
  const forgotten = new WeakMap<JournalHeader, RunInMemory>()
  for (const [runId, { header, records }] of Object.entries(stored))
    runs.set(runId, { header, records: [...records], status: null })
  return {
    forgets: !keepEnded,
    create(header) {
      if (runs.has(header.runId)) throw runExists(header.runId)
      runs.set(header.runId, forgotten.get(header) ?? { header, records: [], status: null })
      owned.add(header.runId)
    },
    append(runId, record) {
      const run = runs.get(runId)
      if (run === undefined)
        throw new AgentStatechartsError(
          "run_unknown",
          `the run "${runId}" does not exist in this journal`,
        )
      run.records.push(record)
      run.status = null
    },
    load(runId) {
      const run = runs.get(runId)
      return run === undefined ? null : { header: run.header, records: run.records }
    },
    acquire(runId) {
      if (owned.has(runId)) throw runOwned(runId, null)
      if (runs.has(runId)) owned.add(runId)
    },
    release(runId) {
      owned.delete(runId)
      const run = runs.get(runId)
      if (
        keepEnded ||
        run === undefined ||
        run.status === null ||
        run.status.status === "running" ||
        run.status.status === "waiting"
      )
        return
      runs.delete(runId)
      forgotten.set(run.header, run)
    },
    note(runId, status) {
      const run = runs.get(runId)
      if (run !== undefined) run.status = status
    },
    list: () =>
      [...runs.values()].map(({ header, header: { runId, chart, calledBy }, status }) => ({
        runId,
        chart: chart.id,
        startedAt: startedAtOf(header),
        status: status?.status ?? "running",
        pending: status?.pending ?? [],
        ...timesOf(status),
        owner: owned.has(runId) ? "this process" : null,
        ...callerOf({ calledBy }),
      })),
    store({ header, records }, status) {
      const { runId } = header
      if (runs.has(runId) && !owned.has(runId)) throw runExists(runId)
      runs.set(runId, { header, records: [...records], status })
      owned.add(runId)
    },
    delete(runId) {
      if (owned.has(runId)) throw runOwned(runId, null)
      runs.delete(runId)
    },
    toJSON: () =>
      Object.fromEntries(
        [...runs].map(([runId, { header, records }]) => [runId, { header, records }]),
      ),
  }
}
