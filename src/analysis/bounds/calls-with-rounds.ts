import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import { chartFacts, plansOf } from "../plan/chart-facts.js"
import { countedMeasures } from "./bounds.js"
import { countMost } from "./count.js"
import { defaultAssumptions } from "./model-assumptions.js"

/**
 * Returns the maximum number of model calls of a run in which each turn has at most `toolRounds`
 * tool rounds and models never ask the user a question. Ignores `maxModelCalls` and the budget.
 * Returns Infinity if the number is unbounded, or if the chart is a workflow graph.
 */
export function callsWithRounds(chart: AgentChart, toolRounds: number): number {
  if (taskGraphOf(chart) !== null) return Infinity
  const plans = plansOf(chart, chartFacts(chart))
  return countMost(plans, defaultAssumptions(chart, toolRounds), countedMeasures.modelCalls).most
}
