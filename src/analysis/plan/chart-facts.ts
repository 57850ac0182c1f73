import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PlanChild, Plans } from "./plan.js"
import type { Reachability } from "../graph/reachability.js"
import { reachability } from "../graph/reachability.js"
import { readPlan } from "./read-plan.js"
import { uncountedCycles } from "../graph/uncounted-cycles.js"
import type { StateGraph, StateNode } from "../graph/state-graph.js"
import { stateGraph } from "../graph/state-graph.js"

/**
 * The results of the graph analysis for one machine of a chart. They contain its reachable states,
 * its cycles without a limit, and its plan, which describes how often each agent can run.
 */
export interface MachineFacts extends Reachability {
  readonly graph: StateGraph
  readonly uncountedCycles: readonly (readonly StateNode[])[]
  readonly plan: PlanChild | null
}

export type ChartFacts = ReadonlyMap<string, MachineFacts>

export function chartFacts(chart: AgentChart): ChartFacts {
  return new Map(
    Object.entries(chart.machines).map(([key, machine]) => {
      const graph = stateGraph(key, machine, chart)
      const states = reachability(graph)
      const uncounted = uncountedCycles(graph, states.reached)
      const endless = new Set(uncounted.flat().map(({ path }) => path))
      return [
        key,
        {
          ...states,
          graph,
          uncountedCycles: uncounted,
          plan: readPlan(machine, { graph, reached: states.reached, endless }, chart),
        },
      ] as const
    }),
  )
}

export const plansOf = (chart: AgentChart, facts: ChartFacts): Plans => ({
  root: chart.root,
  byMachine: new Map([...facts].map(([key, { plan }]) => [key, plan])),
})
