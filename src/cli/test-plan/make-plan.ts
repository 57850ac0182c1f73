import { chartsOfRuns } from "../../machines/workflow-agent/called-charts.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import type {
  ChartCoverage,
  ChartTransitionPart,
  CoverageCollector,
  StoredRun,
} from "../../runtime/index.js"
import { memoryJournal } from "../../runtime/index.js"
import type { FoundScenario } from "./explore.js"
import { explore, reachedIn } from "./explore.js"
import { collectCoverageOfCharts } from "./coverage-of-charts.js"
import type { PlannedWorkflow, ScenarioScript } from "./play-choices.js"
import { promptOf } from "./play-choices.js"
import { playScript } from "./play-script.js"

/** A test scenario of a generated test plan. */
export interface PlannedRun {
  readonly name: string
  readonly script: ScenarioScript
  /** Final status of the run. If the run has not ended, its status after the last answer. */
  readonly status: RunStatus
  /** Transitions that this scenario takes and that no earlier scenario takes. */
  readonly adds: readonly ChartTransitionPart[]
}

/** Generated test scenarios that together cover all transitions that the search has reached. */
export interface TestPlan {
  readonly runs: readonly PlannedRun[]
  /** State and transition coverage of all scenarios together. */
  readonly coverage: ChartCoverage
  /**
   * Names of scenarios that were omitted because their results differed when they were repeated.
   */
  readonly unsteady: readonly string[]
}

/**
 * Searches for test scenarios of a workflow, runs each scenario with a scripted HTTP service, and
 * returns the scenarios that increase coverage. Calls `onRun` before each run of the search.
 */
export async function makePlan(
  workflow: PlannedWorkflow,
  most: number,
  onRun?: (runs: number, found: number) => void,
): Promise<TestPlan> {
  const { chart, ...services } = workflow
  const collector = collectCoverageOfCharts(chartsOfRuns(chart, workflow.workflows))
  const runs: PlannedRun[] = []
  const unsteady: string[] = []
  for (const { name, run } of await explore(workflow, most, onRun)) {
    const journal = memoryJournal()
    const script = { ...run.script, prompt: promptOf(chart) }
    const { status } = await playScript(chart, script, { ...services, journal })
    if (status !== run.status) unsteady.push(name)
    else keep({ name, run }, Object.values(journal.toJSON()), collector, runs)
  }
  return { runs, coverage: collector.coverage(), unsteady }
}

function keep(
  { name, run }: FoundScenario,
  stored: readonly StoredRun[],
  collector: CoverageCollector,
  runs: PlannedRun[],
): void {
  const before = collector.coverage()
  for (const one of stored) collector.add(one)
  const after = collector.coverage()
  if (reachedIn(after) === reachedIn(before)) return
  const missing = new Set([...after.transitions.missing, ...after.exceptional.transitions.missing])
  const adds = [...before.transitions.missing, ...before.exceptional.transitions.missing].filter(
    (part) => !missing.has(part),
  )
  runs.push({ name, script: run.script, status: run.status, adds })
}
