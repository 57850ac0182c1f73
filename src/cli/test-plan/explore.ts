import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartCoverage } from "../../runtime/index.js"
import { watchCoverage } from "../../runtime/index.js"
import { choiceBook } from "./choices.js"
import type { Deviations, HostServices, PlayedRun } from "./play-choices.js"
import { playChoices } from "./play-choices.js"

/** A run that reached a state or transition that no earlier run had reached. */
export interface FoundScenario {
  readonly name: string
  readonly played: PlayedRun
}

export const reachedIn = ({ states, transitions, apart }: ChartCoverage): number =>
  states.reached + transitions.reached + apart.states.reached + apart.transitions.reached

/**
 * Searches for runs that together cover as much of a chart as the choices of models, people and the
 * initial state can reach. Starts with the default run and changes one decision at a time, also in
 * runs found on the way. Each choice is tried once per location, so the number of runs grows with
 * the chart and is limited by `most`.
 */
export async function explore(
  chart: AgentChart,
  services: HostServices,
  most: number,
): Promise<readonly FoundScenario[]> {
  const book = choiceBook(chart)
  const watch = watchCoverage(chart)
  const tried = new Set<string>()
  const found: FoundScenario[] = []
  const queue: { readonly name: string; readonly deviations: Deviations }[] = [
    { name: "default", deviations: new Map() },
  ]
  let reached = 0
  // Iterating over the list includes items added during the loop.
  let runs = 0
  for (const { name, deviations } of queue) {
    if (runs++ >= most) break
    const played = await playChoices(chart, book, deviations, services)
    if (played.stored !== null) watch.feed(played.stored)
    const now = reachedIn(watch.coverage())
    if (now > reached) found.push({ name, played })
    reached = now
    for (const { site, place, chosen, choices } of played.decisions) {
      if (deviations.has(site)) continue
      for (const [index, what] of choices.entries()) {
        const key = JSON.stringify([place, what])
        if (index === chosen || tried.has(key)) continue
        tried.add(key)
        const change = place === "start" ? what : `${place} ${what}`
        queue.push({
          name: deviations.size === 0 ? change : `${name}; ${change}`,
          deviations: new Map([...deviations, [site, index]]),
        })
      }
    }
  }
  return found
}
