import { chartsOfRuns, chartsWithCalls } from "../../machines/workflow-agent/called-charts.js"
import type { ChartCoverage } from "../../runtime/index.js"
import { choiceBook } from "./choices.js"
import { collectCoverageOfCharts } from "./coverage-of-charts.js"
import type { Deviations, PlannedWorkflow, PlayedRun } from "./play-choices.js"
import { playChoices } from "./play-choices.js"

/** A run that reached a state or transition of the chart that no earlier run had reached. */
export interface FoundScenario {
  readonly name: string
  readonly run: PlayedRun
}

/**
 * Returns the number of reached states and transitions, including those in `exceptional`. Only
 * limits, stops and pauses can reach the states and transitions in `exceptional`.
 */
export const reachedIn = ({ states, transitions, exceptional }: ChartCoverage): number =>
  states.reached +
  transitions.reached +
  exceptional.states.reached +
  exceptional.transitions.reached

/**
 * Searches for runs that together cover as many states and transitions of a chart as possible.
 * Executes the default run first. Then executes variants of earlier runs that differ in one
 * decision, such as a model response or the initial state. Tries each choice once per location in
 * the chart, so the number of runs grows with the size of the chart. Executes at most `most` runs.
 * Before each run, calls `onRun` with the number of the run and the number of scenarios found.
 */
export async function explore(
  workflow: PlannedWorkflow,
  most: number,
  onRun: (runs: number, found: number) => void = () => undefined,
): Promise<readonly FoundScenario[]> {
  const { chart, workflows } = workflow
  const book = choiceBook(chartsWithCalls(chart, workflows))
  const collector = collectCoverageOfCharts(chartsOfRuns(chart, workflows))
  const tried = new Set<string>()
  const scenarios: FoundScenario[] = []
  const queue: { readonly name: string; readonly deviations: Deviations }[] = [
    { name: "default", deviations: new Map() },
  ]
  let reached = 0
  // Iterating over the list includes items added during the loop.
  let runCount = 0
  for (const { name, deviations } of queue) {
    if (runCount++ >= most) break
    onRun(runCount, scenarios.length)
    const run = await playChoices(workflow, book, deviations)
    for (const stored of run.stored) collector.add(stored)
    const now = reachedIn(collector.coverage())
    if (now > reached) scenarios.push({ name, run })
    reached = now
    for (const { site, location, chosen, choices } of run.decisions) {
      if (deviations.has(site)) continue
      for (const [index, what] of choices.entries()) {
        const key = JSON.stringify([location, what])
        if (index === chosen || tried.has(key)) continue
        tried.add(key)
        const change = location === "start" ? what : `${location} ${what}`
        queue.push({
          name: deviations.size === 0 ? change : `${name}; ${change}`,
          deviations: new Map([...deviations, [site, index]]),
        })
      }
    }
  }
  return scenarios
}
