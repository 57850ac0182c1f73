import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { checkChart } from "../../machines/contract/check-chart.js"
import type { Clock } from "../driver/host.js"
import { systemClock } from "../host/system-clock.js"
import type { Journal, StoredRun } from "../journal/journal.js"
import { checkOptions, refuseArgument } from "../../machines/data/check-arguments.js"
import { migrateRun } from "./migrate-run.js"
import type { RunMigration, RunMigrator, StoringJournal } from "./migrate-run.js"
import type { RunVerdict } from "./run-verdict.js"
import { runClassifier } from "./run-verdict.js"
import { selectOpenRuns } from "./select-open-runs.js"

/** Options of {@link migrateRuns}. */
export interface MigrateOptions {
  /**
   * If true, no run is changed, and the report shows which runs could be migrated. Default: false.
   */
  readonly dryRun?: boolean
  /**
   * If true, a run is forked if some of its recorded answers or results would be lost. A new run
   * then continues with the new chart, and the old run is cancelled. If false, such a run is not
   * changed. Default: false.
   */
  readonly fork?: boolean
  /** Id of the old chart, whose runs are migrated. Default: the id of the new chart. */
  readonly workflow?: string
  /** Ids of the runs to migrate. Default: all open runs of the workflow and their child runs. */
  readonly runIds?: readonly string[]
  /**
   * Signal that stops the migration. The runs that are being migrated when it is aborted are still
   * completed, and no further runs are started.
   */
  readonly signal?: AbortSignal
  /**
   * Called after each group of runs. `done` is the number of processed runs, and `runs` is the
   * number of all selected runs.
   */
  readonly onProgress?: (progress: { readonly done: number; readonly runs: number }) => void
  /**
   * Clock that provides the time of the migration. Each migrated run stores this time. Default: the
   * system clock.
   */
  readonly clock?: Clock
}

/** Result of {@link migrateRuns}, with one entry for each processed run. */
export interface MigrationReport {
  /** The processed runs, in the order in which the journal lists them. */
  readonly runs: readonly RunMigration[]
  /** True if all selected runs were processed. False if `signal` has stopped the migration. */
  readonly isComplete: boolean
}

/** Number of runs that are migrated in parallel, so that a journal can combine the writes. */
const groupSize = 32

/**
 * Changes the chart of the open runs in a journal. Each run is replayed with the new chart to find
 * out whether it can be migrated (docs/semantics.md#migration). A run is changed only if the new
 * chart uses all of its recorded answers and results, unless the option `fork` is true. Each run is
 * changed in one step, so an interrupted migration can be started again. Runs that another process
 * executes are skipped.
 *
 * @example
 * const { runs } = await migrateRuns(sqliteJournal("runs.sqlite"), editedChart, { dryRun: true })
 * const staying = runs.filter(({ verdict }) => verdict === "stays")
 *
 * @throws AgentStatechartsError `argument_invalid` if the journal cannot list or store runs,
 * `chart_invalid`, `run_unknown`, `chart_differs`, or `journal_failed`
 */
export async function migrateRuns(
  journal: Journal,
  chart: AgentChart,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  checkOptions(options, { call: "migrateRuns", example: "{ dryRun: true }", known: optionNames })
  const { dryRun = false, fork = false, workflow = chart.id, runIds, signal } = options
  const { onProgress = () => {}, clock = systemClock } = options
  checkChart(chart, "migrateRuns")
  if (journal.list === undefined || (!dryRun && !canStore(journal)))
    return refuseArgument("migrateRuns needs a journal with the functions list and store.")
  const classifiers = new Map<AgentChart, (stored: StoredRun) => RunVerdict>()
  const migrator: RunMigrator = {
    journal,
    target: !dryRun && canStore(journal) ? journal : null,
    forks: fork,
    classify(target, stored) {
      const classify = classifiers.get(target) ?? runClassifier(target)
      classifiers.set(target, classify)
      return classify(stored)
    },
    now: () => clock.now(),
  }
  const selected = selectOpenRuns(await journal.list(), { chart, workflow, runIds })
  const runs: RunMigration[] = []
  for (let done = 0; done < selected.length && signal?.aborted !== true; done += groupSize) {
    const group = selected.slice(done, done + groupSize)
    const settled = await Promise.allSettled(group.map(async (run) => migrateRun(run, migrator)))
    for (const each of settled) {
      if (each.status === "rejected") throw each.reason
      runs.push(each.value)
    }
    onProgress({ done: runs.length, runs: selected.length })
  }
  return { runs, isComplete: runs.length === selected.length }
}

const optionNames: readonly string[] = Object.keys({
  dryRun: true,
  fork: true,
  workflow: true,
  runIds: true,
  signal: true,
  onProgress: true,
  clock: true,
} satisfies Record<keyof MigrateOptions, true>)

const canStore = (journal: Journal): journal is StoringJournal => journal.store !== undefined
