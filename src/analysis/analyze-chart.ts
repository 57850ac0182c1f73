import { checkChart } from "../machines/contract/check-chart.js"
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
  /** Assumed maximum number of model responses with tool calls in one turn. Default: 1. */
  readonly toolRounds?: number
  /** Prices of model calls by model name. If set, `bounds` contains an upper bound for the cost. */
  readonly prices?: PriceList
}

export interface ChartAnalysis {
  /**
   * Paths of unreachable states and dead ends, each starting with the machine key. In compiled
   * charts, only constant conditions cause such states.
   */
  readonly states: { readonly unreachable: readonly string[]; readonly deadEnds: readonly string[] }
  readonly rings: readonly ChartCycle[]
  readonly bounds: Bounds & { readonly assumes: { readonly toolRounds: number } }
  /**
   * Which agents and tools read and write each session state key. If `hostCode` is true, functions
   * that you registered may also read and write other keys.
   */
  readonly state: { readonly keys: readonly KeyUse[]; readonly hostCode: boolean }
  readonly findings: readonly Finding[]
}

/**
 * Analyzes a chart without running it. Reports states that no run enters or leaves, the limit of
 * every cycle, upper bounds for model calls and costs, and the use of session state keys. Needs
 * only the chart, so a stored or edited chart can be analyzed too.
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
  checkChart(chart, "analyzeChart")
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
