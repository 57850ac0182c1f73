import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { Bounds } from "./bounds/bounds.js"
import { boundsOf } from "./bounds/bounds.js"
import { chartFacts, plansOf } from "./plan/chart-facts.js"
import type { ChartCycle } from "./findings/chart-cycles.js"
import { findInCycles, findChartCycles } from "./findings/chart-cycles.js"
import { defaultAssumptions } from "./bounds/model-assumptions.js"
import { findInStates } from "./findings/find-in-states.js"
import type { Finding } from "./findings/finding.js"
import type { KeyUse } from "./keys/analyze-keys.js"
import { analyzeKeys } from "./keys/analyze-keys.js"
import type { PriceList } from "./bounds/prices.js"

export interface AnalyzeOptions {
  /** Responses with tool calls that one turn of an agent with tools takes at most. Default 1. */
  readonly toolRounds?: number
  /** What models cost, for a bound of what a run costs. */
  readonly prices?: PriceList
}

export interface ChartAnalysis {
  /** By machine and path. Both are empty in what the compiler emits, unless a condition is constant. */
  readonly states: { readonly unreachable: readonly string[]; readonly deadEnds: readonly string[] }
  readonly rings: readonly ChartCycle[]
  readonly bounds: Bounds & { readonly assumes: { readonly toolRounds: number } }
  /** Who writes and reads which key of the session state. `hostCode`: code of yours may write and read others, too. */
  readonly state: { readonly keys: readonly KeyUse[]; readonly hostCode: boolean }
  readonly findings: readonly Finding[]
}

/**
 * What can be said of a chart without running it: which states are never entered or never left, what bounds its loops and handoffs, and
 * the most that a run can come to. Reads nothing but the chart, so a stored or edited one will do.
 *
 * ```ts
 * const { bounds, findings } = analyzeChart(chart)
 * bounds.modelCalls.most // 12
 * ```
 */
export function analyzeChart(
  chart: AgentChart,
  { toolRounds = 1, prices }: AnalyzeOptions = {},
): ChartAnalysis {
  const facts = chartFacts(chart)
  const plans = plansOf(chart, facts)
  const { findings: ofKeys, ...state } = analyzeKeys(chart, plans)
  const bounds = boundsOf(chart, plans, defaultAssumptions(chart, toolRounds), prices ?? null)
  const named = (of: "unreachable" | "deadEnds"): readonly string[] =>
    [...facts].flatMap(([machine, known]) => known[of].map((path) => `${machine}.${path}`))
  return {
    states: { unreachable: named("unreachable"), deadEnds: named("deadEnds") },
    rings: findChartCycles(facts),
    bounds: { assumes: { toolRounds }, ...bounds },
    state,
    findings: [...findInStates(chart, facts), ...findInCycles(chart, facts), ...ofKeys],
  }
}
