import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import type {
  ChartCoverage,
  ChartTransitionPart,
  CoverageWatch,
  StoredRun,
} from "../../runtime/index.js"
import { memoryJournal, watchCoverage } from "../../runtime/index.js"
import type { FoundScenario } from "./explore.js"
import { explore, reachedIn } from "./explore.js"
import type { HostServices, ScenarioScript } from "./play-choices.js"
import { promptOf } from "./play-choices.js"
import { playScript } from "./play-script.js"

/** A scenario of a test plan. */
export interface PlannedRun {
  readonly name: string
  readonly script: ScenarioScript
  /** Final status of the run, or its status when no answers are left. */
  readonly status: RunStatus
  /** Transitions that no earlier scenario takes. */
  readonly adds: readonly ChartTransitionPart[]
}

/** Scenarios that together cover as many transitions as were found. */
export interface TestPlan {
  readonly runs: readonly PlannedRun[]
  /** Coverage of all scenarios together, when the scripted service responds. */
  readonly coverage: ChartCoverage
  /** Scenarios left out because replaying them gave a different result. */
  readonly unsteady: readonly string[]
}

/**
 * Finds scenarios, plays each with the scripted service over HTTP, and keeps those that increase
 * coverage. `onRun` is called before each run of the search.
 */
export async function makePlan(
  chart: AgentChart,
  services: HostServices,
  most: number,
  onRun?: (runs: number, found: number) => void,
): Promise<TestPlan> {
  const watch = watchCoverage(chart)
  const runs: PlannedRun[] = []
  const unsteady: string[] = []
  for (const { name, run } of await explore(chart, services, most, onRun)) {
    const journal = memoryJournal()
    const script = { ...run.script, prompt: promptOf(chart) }
    const { status, runId } = await playScript(chart, script, { services, journal })
    const stored = await journal.load(runId)
    if (status !== run.status) unsteady.push(name)
    else keep({ name, run }, stored, watch, runs)
  }
  return { runs, coverage: watch.coverage(), unsteady }
}

function keep(
  { name, run }: FoundScenario,
  stored: StoredRun | null,
  watch: CoverageWatch,
  runs: PlannedRun[],
): void {
  const before = watch.coverage()
  if (stored !== null) watch.feed(stored)
  const after = watch.coverage()
  if (reachedIn(after) === reachedIn(before)) return
  const missing = new Set([...after.transitions.missing, ...after.apart.transitions.missing])
  const adds = [...before.transitions.missing, ...before.apart.transitions.missing].filter(
    (part) => !missing.has(part),
  )
  runs.push({ name, script: run.script, status: run.status, adds })
}
