import { existsSync } from "node:fs"
import type { RunSummary } from "../../runtime/index.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { OpenStores } from "../run/open-journal.js"
import { listCommand } from "../format/follow-up-commands.js"
import type { ReplayRunsOptions } from "./replay-options.js"

/** Selected runs of a journal, and the number of runs that were not selected. */
export interface SelectedRuns {
  /** Ids of the selected runs, oldest first. */
  readonly runIds: readonly string[]
  /**
   * Number of runs that were omitted because they belong to another workflow. Zero if `--run` is
   * set.
   */
  readonly others: number
  /** Number of runs of the workflow that were omitted because of their status. */
  readonly leftOut: number
}

/**
 * Default of the option `--status`. It contains all run statuses except `running` and `cancelled`.
 */
const defaultStatuses: readonly string[] = ["completed", "failed", "limit", "waiting"]

/**
 * Throws a usage error if the journal of the option `--journal` does not exist. Call this function
 * before you open the journal, because opening a missing journal creates it.
 */
export function requireJournal({ journal }: Pick<ReplayRunsOptions, "journal">): void {
  if (typeof journal === "string" && !existsSync(journal))
    throw new UsageProblem(
      `the journal ${journal} does not exist. Pass the folder or SQLite file that the runs were stored in.`,
    )
}

/**
 * Selects the runs whose ids the option `--run` contains. If `--run` is not set, selects the latest
 * runs of the workflow `chart` with one of the statuses of `--status`.
 */
export async function selectRuns(
  { journal, location }: OpenStores,
  chart: string,
  {
    last,
    run: ids = [],
    status = defaultStatuses,
    ...options
  }: Pick<ReplayRunsOptions, "journal" | "last" | "run" | "status">,
): Promise<SelectedRuns> {
  const runs = await journal.list()
  if (ids.length > 0) {
    const known = new Set(runs.map(({ runId }) => runId))
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined)
      throw new UsageProblem(
        `the run "${unknown}" does not exist in ${location}. List all runs with: ${listCommand(options)}`,
      )
  }
  const candidates =
    ids.length > 0
      ? runs.filter(({ runId }) => ids.includes(runId))
      : runs.filter((run) => run.chart === chart && status.includes(run.status))
  const others = runs.filter((run) => run.chart !== chart).length
  if (candidates.length === 0)
    throw new UsageProblem(
      `${location} has no run of the workflow "${chart}" with the status ${status.join(", ")}${others === 0 ? "" : `, but ${others} of other workflows`}. List all runs with: ${listCommand(options)}`,
    )
  const sorted = [...candidates].sort(byStart)
  return {
    runIds: sorted.slice(last === undefined ? 0 : -last).map(({ runId }) => runId),
    others: ids.length > 0 ? 0 : others,
    leftOut: ids.length > 0 ? 0 : runs.length - others - candidates.length,
  }
}

const byStart = (one: RunSummary, other: RunSummary): number =>
  one.startedAt - other.startedAt || (one.runId < other.runId ? -1 : 1)
