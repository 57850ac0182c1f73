import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { chartsOfRuns } from "../../machines/workflow-agent/called-charts.js"
import { endedStatuses } from "../journal/prune-runs.js"
import type { RunSummary } from "../journal/journal.js"

/** A run that may be migrated, and the new charts to which it could be migrated. */
export interface OpenRun {
  readonly run: RunSummary
  /**
   * The new charts to which the run could be migrated. They have the same id as the old chart of
   * the run. Usually this is one chart. There are several if the new chart calls different
   * workflows that have this id.
   */
  readonly charts: readonly AgentChart[]
}

export interface OpenRunSelection {
  readonly chart: AgentChart
  /** Id of the old chart, which the selected runs execute. */
  readonly workflow: string
  readonly runIds: readonly string[] | undefined
}

/**
 * Selects the runs of a workflow that have not ended. Also selects their child runs, if `chart`
 * calls the workflow of the child run. If `runIds` is set, selects exactly these runs, even if they
 * have ended.
 *
 * @throws AgentStatechartsError `run_unknown` if a run of `runIds` does not exist, or
 * `chart_differs` if it executes another workflow
 */
export function selectOpenRuns(
  runs: readonly RunSummary[],
  { chart, workflow, runIds }: OpenRunSelection,
): readonly OpenRun[] {
  const byId = new Map(runs.map((run) => [run.runId, run]))
  const called = chartsOfRuns(chart).filter((each) => each !== chart)
  const chartsFor = (run: RunSummary): readonly AgentChart[] => {
    if (run.chart === workflow) return [chart]
    return isBelow(run, workflow, byId) ? called.filter(({ id }) => id === run.chart) : []
  }
  if (runIds === undefined)
    return runs.flatMap((run) => {
      const charts = hasEnded(run) ? [] : chartsFor(run)
      return charts.length === 0 ? [] : [{ run, charts }]
    })
  return [...new Set(runIds)].map((runId) => {
    const run = byId.get(runId)
    if (run === undefined)
      throw new AgentStatechartsError(
        "run_unknown",
        `the run "${runId}" does not exist in the journal`,
      )
    const charts = chartsFor(run)
    if (charts.length === 0)
      throw new AgentStatechartsError(
        "chart_differs",
        `run "${runId}" executes the workflow "${run.chart}", not "${workflow}"; pass the chart of its workflow, or the id of its workflow`,
      )
    return { run, charts }
  })
}

const ended: ReadonlySet<RunSummary["status"]> = new Set(endedStatuses)

const hasEnded = ({ status }: RunSummary): boolean => ended.has(status)

/**
 * Returns true if a run was called by a run of `workflow`, directly or through other runs. `byId`
 * contains all runs by run id.
 */
function isBelow(
  run: RunSummary,
  workflow: string,
  byId: ReadonlyMap<string, RunSummary>,
): boolean {
  // Prevents an endless loop if a damaged journal contains a cycle of callers.
  const seen = new Set<string>()
  for (let caller = run.calledBy?.runId; caller !== undefined && !seen.has(caller);) {
    seen.add(caller)
    const parent = byId.get(caller)
    if (parent?.chart === workflow) return true
    caller = parent?.calledBy?.runId
  }
  return false
}
