import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Journal, StoredRun } from "../journal/journal.js"
import { keysInFlight } from "../runner/adopt.js"
import type { OpenRun } from "./select-open-runs.js"
import type { ForkObstacle, LostRecords, RunVerdict } from "./run-verdict.js"

/**
 * Reason for the result of a migration.
 * - `current`: the run already has the new chart.
 * - `same-records`: the new chart processes all records in the same way.
 * - `same-answers`: the new chart uses all recorded answers and results, but in another order than
 *   the old chart.
 * - `loses-records`: the new chart does not use all recorded answers and results.
 * - `would-fail`: the run would fail or reach a limit with the new chart.
 * - `child-run`, `called-run`, `session`: records would be lost, and the run cannot be forked,
 *   because it was called by another run, has called another run, or belongs to a session.
 * - `ambiguous`: the new chart calls several workflows with the id of the child run's workflow.
 * - `unreadable`: the journal cannot read the run.
 * - `owned`: a process executes the run.
 * - `ended`: the run has ended.
 */
export type MigrationReason =
  | "current"
  | "same-records"
  | "same-answers"
  | "loses-records"
  | "would-fail"
  | ForkObstacle
  | "ambiguous"
  | "unreadable"
  | "owned"
  | "ended"

/**
 * Result of migrating one open run to a new chart: whether and why it can be migrated, and the
 * change that was made.
 */
export interface RunMigration {
  readonly runId: string
  readonly verdict: "current" | "adoptable" | "forkable" | "stays" | "skipped"
  readonly reason: MigrationReason
  /** One sentence that explains why the run can or cannot be migrated. */
  readonly message: string
  /**
   * Number of records at the start that the old and the new chart process in the same way. Missing
   * if both charts process all records in the same way.
   */
  readonly at?: number
  /**
   * The recorded answers and results that the new chart does not use. Missing if both charts
   * process all records in the same way.
   */
  readonly lost?: LostRecords
  /**
   * `migrated`: the run continues with the new chart. `forked`: the run was cancelled, and the run
   * `forkId` continues its work with the new chart. `unchanged`: the run was not changed.
   */
  readonly result: "migrated" | "forked" | "unchanged"
  readonly forkId?: string
}

/** A journal with the method `store`, which stores a complete run in one step. */
export type StoringJournal = Journal & Required<Pick<Journal, "store">>

/** Settings of a migration, which are the same for all of its runs. */
export interface RunMigrator {
  readonly journal: Journal
  /** The journal in which migrated runs are stored. null if no run is changed (`dryRun`). */
  readonly target: StoringJournal | null
  /**
   * If true, a run that would lose some of its records is forked. A new run then continues its work
   * with the new chart, and the old run is cancelled. If false, such a run is not changed.
   */
  readonly forks: boolean
  readonly classify: (chart: AgentChart, stored: StoredRun) => RunVerdict
  readonly now: () => number
}

/**
 * Migrates a run to the new chart if no recorded answers or results would be lost. Otherwise, forks
 * the run if `migrator.forks` is true and a fork is possible. If `migrator.target` is null, changes
 * nothing and only returns the verdict.
 */
export async function migrateRun(open: OpenRun, migrator: RunMigrator): Promise<RunMigration> {
  const { run, charts } = open
  const { runId, owner } = run
  const unchanged = { runId, result: "unchanged" } as const
  if (owner !== null) return { ...unchanged, ...skipped("owned", `the run is owned by ${owner}`) }
  const [chart] = charts
  if (chart === undefined || charts.length > 1)
    return {
      ...unchanged,
      ...stays(
        "ambiguous",
        `the new chart calls ${charts.length} workflows with the id "${run.chart}"`,
      ),
    }
  const { journal, target } = migrator
  try {
    if (target !== null) await target.acquire?.(runId)
  } catch (error) {
    if (codeOf(error) !== "run_owned") throw error
    return { ...unchanged, ...skipped("owned", messageOf(error)) }
  }
  try {
    const stored = await journal.load(runId)
    // The run does not exist if another process has deleted it after the runs were listed.
    if (stored === null) return { ...unchanged, ...skipped("ended", "the run no longer exists") }
    return await applied(stored, chart, migrator)
  } catch (error) {
    if (codeOf(error) !== "journal_corrupt") throw error
    return { ...unchanged, ...stays("unreadable", messageOf(error)) }
  } finally {
    if (target !== null) await target.release?.(runId)
  }
}

async function applied(
  stored: StoredRun,
  chart: AgentChart,
  { classify, target, forks, now }: RunMigrator,
): Promise<RunMigration> {
  const { runId } = stored.header
  const found = classify(chart, stored)
  const described = { runId, ...describeVerdict(found, stored) }
  if (found.verdict !== "adoptable" && found.verdict !== "forkable")
    return { ...described, result: "unchanged" }
  const losesRecords = described.reason !== "same-records" && described.reason !== "same-answers"
  if (target === null || (losesRecords && (!forks || described.verdict === "stays")))
    return { ...described, result: "unchanged" }
  if (losesRecords && found.verdict === "forkable")
    return { ...described, result: "forked", forkId: await storeFork(stored, found, target, now()) }
  const { header, records } = found.run
  const migration = {
    chart: stored.header.chart.fingerprint,
    records: stored.records.length,
    ...(found.verdict === "forkable" && { sameUntil: found.at }),
    at: now(),
  }
  const migrations = [...(header.migrations ?? []), migration]
  await target.store({ header: { ...header, migrations }, records }, found.status)
  return { ...described, result: "migrated" }
}

type Described = Omit<RunMigration, "runId" | "result" | "forkId">

function describeVerdict(found: RunVerdict, { records }: StoredRun): Described {
  switch (found.verdict) {
    case "current":
      return { verdict: "current", reason: "current", message: "the run has the new chart" }
    case "ended":
      return skipped("ended", "the run has ended; resume it, so that its status is stored")
    case "stays":
      return stays("would-fail", found.message)
    case "adoptable":
      return {
        verdict: "adoptable",
        reason: "same-records",
        message: `the new chart processes all ${records.length} records in the same way`,
      }
    case "forkable": {
      const { at, lost, obstacle } = found
      if (lost.answers.length + lost.calls.length === 0)
        return {
          verdict: "forkable",
          reason: "same-answers",
          message: `the charts differ after record ${at}, but the new chart uses all ${records.length} records`,
          at,
          lost,
        }
      const message = `the charts differ after record ${at}; ${lostText(lost)}`
      return obstacle === null
        ? { verdict: "forkable", reason: "loses-records", message, at, lost }
        : { ...stays(obstacle, `${message}; ${obstacleText[obstacle]}`), at, lost }
    }
  }
}

const obstacleText: Readonly<Record<ForkObstacle, string>> = {
  "child-run": "the run cannot be forked, because another run has called it",
  "called-run": "the run cannot be forked, because it waits for a run that it has called",
  session: "the run cannot be forked, because it belongs to a session",
}

const lostText = ({ answers, calls }: LostRecords): string =>
  [
    ...(answers.length === 0 ? [] : [`answers that would be lost: ${answers.join(", ")}`]),
    ...(calls.length === 0 ? [] : [`results that would be lost: ${calls.join(", ")}`]),
  ].join("; ")

const skipped = (reason: "owned" | "ended", message: string): Described => ({
  verdict: "skipped",
  reason,
  message,
})

const stays = (reason: MigrationReason, message: string): Described => ({
  verdict: "stays",
  reason,
  message,
})

/**
 * Stores a new run that continues a run with a new chart, and then cancels the old run. If an
 * earlier migration was interrupted between these two steps, only the second step is executed.
 * Returns the id of the new run.
 */
async function storeFork(
  stored: StoredRun,
  { run, at, status }: Extract<RunVerdict, { readonly verdict: "forkable" }>,
  journal: StoringJournal,
  now: number,
): Promise<string> {
  const { runId, chart } = stored.header
  const forkId = `${runId}~${run.header.chart.fingerprint.slice(0, 8)}`
  const isStored = (await journal.load(forkId)) !== null
  try {
    if (!isStored)
      await journal.store(
        {
          header: {
            ...run.header,
            runId: forkId,
            keptKeys: keysInFlight(stored, forkId),
            forkedFrom: { runId, at, chart: chart.fingerprint },
          },
          records: run.records,
        },
        status,
      )
    await journal.append(runId, [-1, "", { type: "run.stopped", as: "cancelled", at: now }, now])
    await journal.note?.(runId, { status: "cancelled", pending: [], at: now })
  } finally {
    if (!isStored) await journal.release?.(forkId)
  }
  return forkId
}

const codeOf = (error: unknown): string | null =>
  error instanceof AgentStatechartsError ? error.code : null

// The cast is safe: this function is only called for errors that are an `AgentStatechartsError`.
const messageOf = (error: unknown): string => (error as AgentStatechartsError).message
