import { AgentStatechartsError } from "../../errors.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import type { Journal, RunSummary } from "./journal.js"
import { latestScheduledRuns, scheduledRunOf } from "./schedule-run-id.js"

/** All statuses of runs that have ended. */
export const endedStatuses = [
  "completed",
  "failed",
  "cancelled",
  "limit",
] as const satisfies readonly RunStatus[]

/** Options of {@link pruneRuns} that select the runs to delete. */
export interface PruneOptions {
  /** Only runs that ended before this time are deleted. In milliseconds since the epoch. */
  readonly endedBefore: number
  /** Only runs with these statuses are deleted. Default: all statuses of ended runs. */
  readonly statuses?: readonly (typeof endedStatuses)[number][]
  /**
   * If true, no run is deleted. The report then contains the runs that would be deleted. Default:
   * false.
   */
  readonly dryRun?: boolean
  /**
   * Called before each group of runs is deleted. `done` is the number of selected runs that were
   * already processed. `runs` is the number of all selected runs.
   */
  readonly onProgress?: (progress: { readonly done: number; readonly runs: number }) => void
}

/**
 * Result of {@link pruneRuns}: the ids of the deleted runs, and of selected runs that were not
 * deleted.
 */
export interface PruneReport {
  /** Ids of the deleted runs. With `dryRun`, ids of the runs that would be deleted. */
  readonly runIds: readonly string[]
  /** Ids of selected runs that were not deleted, because a process has resumed them. */
  readonly inUse: readonly string[]
}

/** Number of runs that are deleted in parallel, so that a journal can combine the deletions. */
const groupSize = 500

/**
 * Deletes ended runs of a journal. A child run is deleted only together with its caller, because
 * the caller may need its result. The last run of each schedule is never deleted, because it shows
 * servers which due times have already been handled. If a journal does not store when a run ended,
 * the start time of the run is used.
 *
 * @example
 * const month = 30 * 24 * 3600_000
 * const { runIds } = await pruneRuns(journal, { endedBefore: Date.now() - month })
 *
 * @throws AgentStatechartsError `argument_invalid` if the journal cannot list and delete runs
 */
export async function pruneRuns(journal: Journal, options: PruneOptions): Promise<PruneReport> {
  const { dryRun = false, onProgress = () => {} } = options
  if (journal.list === undefined || journal.delete === undefined)
    throw new AgentStatechartsError(
      "argument_invalid",
      "pruneRuns needs a journal with the functions list and delete.",
    )
  const selected = prunable(await journal.list(), options)
  if (dryRun) return { runIds: selected, inUse: [] }
  return deleteRuns(journal.delete.bind(journal), selected, onProgress)
}

/**
 * Deletes runs in groups. Runs that a process owns are not deleted. `onProgress` is called before
 * each group is deleted.
 */
export async function deleteRuns(
  deleteRun: NonNullable<Journal["delete"]>,
  selected: readonly string[],
  onProgress: NonNullable<PruneOptions["onProgress"]>,
): Promise<PruneReport> {
  const runIds: string[] = []
  const inUse: string[] = []
  const isDeleted = async (runId: string): Promise<boolean> => {
    try {
      await deleteRun(runId)
      return true
    } catch (error) {
      if (!(error instanceof AgentStatechartsError) || error.code !== "run_owned") throw error
      return false
    }
  }
  for (let done = 0; done < selected.length; done += groupSize) {
    onProgress({ done, runs: selected.length })
    const group = selected.slice(done, done + groupSize)
    const deleted = await Promise.all(group.map(isDeleted))
    for (const [n, runId] of group.entries()) (deleted[n] === true ? runIds : inUse).push(runId)
  }
  return { runIds, inUse }
}

/** Returns the ids of the runs that may be deleted, in the order of `runs`. */
function prunable(
  runs: readonly RunSummary[],
  { endedBefore, statuses = endedStatuses }: PruneOptions,
): readonly string[] {
  const wanted: ReadonlySet<RunStatus> = new Set(statuses)
  const byId = new Map(runs.map((run) => [run.runId, run]))
  const latest = latestScheduledRuns(byId.keys())
  const known = new Map<string, boolean>()
  const isPrunable = (run: RunSummary): boolean => {
    const result = known.get(run.runId)
    if (result !== undefined) return result
    // Prevents an endless recursion if a damaged journal contains a cycle of callers.
    known.set(run.runId, false)
    const caller = run.calledBy === undefined ? undefined : byId.get(run.calledBy.runId)
    const isSelected =
      wanted.has(run.status) &&
      latest.get(scheduledRunOf(run.runId)?.schedule ?? "")?.runId !== run.runId &&
      (run.settledAt ?? run.startedAt) < endedBefore &&
      (caller === undefined || isPrunable(caller))
    known.set(run.runId, isSelected)
    return isSelected
  }
  return runs.filter(isPrunable).map(({ runId }) => runId)
}
