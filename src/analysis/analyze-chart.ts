import type { ChartTaskGraph } from "../machines/contract/graphs/chart-task-graph.js"
import { taskGraphOf } from "../machines/contract/graphs/task-graph-of.js"
import { checkChart } from "../machines/contract/check-chart.js"
import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { Bounds } from "./bounds/bounds.js"
import { boundsOf } from "./bounds/bounds.js"
import { calledBounds } from "./bounds/called-bounds.js"
import { chartFacts, plansOf } from "./plan/chart-facts.js"
import { boundsOfGraph } from "./bounds/graph-bounds.js"
import type { ChartCycle } from "./findings/chart-cycles.js"
import { findInCycles, findChartCycles } from "./findings/chart-cycles.js"
import { defaultAssumptions } from "./bounds/model-assumptions.js"
import { findInStates } from "./findings/find-in-states.js"
import type { Finding } from "./findings/finding.js"
import type { KeyUse } from "./keys/analyze-keys.js"
import { analyzeKeys } from "./keys/analyze-keys.js"
import type { PriceList } from "../policies/price-list.js"
import { analyzePolicies } from "./policies/analyze-policies.js"
import type { PolicyResult } from "./policies/policy-result.js"
import type { PolicyWarning } from "./policies/policy-warnings.js"
import type { PolicySet } from "../policies/policy.js"

export interface AnalyzeOptions {
  /**
   * Assumed maximum number of model responses with tool calls in one turn of an agent. The upper
   * bounds depend on this number. Default: 1.
   */
  readonly toolRounds?: number
  /**
   * Prices of model calls by model name. If set, the result also contains an upper bound for the
   * cost.
   */
  readonly prices?: PriceList
  /**
   * Policies to check (docs/policies.md). The analysis decides for each policy whether any run of
   * the chart can violate it.
   */
  readonly policies?: PolicySet
}

export interface ChartAnalysis {
  /**
   * `unreachable` contains the paths of states that no run can enter. `deadEnds` contains the paths
   * of states from which no run can reach its end. Each path starts with the machine key, for
   * example `pipeline.pipeline.writer`. In compiled charts, only constant conditions cause such
   * states.
   */
  readonly states: { readonly unreachable: readonly string[]; readonly deadEnds: readonly string[] }
  readonly cycles: readonly ChartCycle[]
  readonly bounds: Bounds & { readonly assumes: { readonly toolRounds: number } }
  /**
   * The agents and tools that read and write each session state key. If `hostCode` is true,
   * functions that you register with the runner may also read and write other keys.
   */
  readonly state: { readonly keys: readonly KeyUse[]; readonly hostCode: boolean }
  readonly findings: readonly Finding[]
  /** One verdict for each policy of the option `policies`, in the same order. */
  readonly policies: readonly PolicyResult[]
  /**
   * Warnings about policies that contain a name that is not in the chart, such as an unknown tool.
   */
  readonly policyWarnings: readonly PolicyWarning[]
}

/**
 * Analyzes a chart (a compiled workflow) without running it. Reports states that no run can enter
 * or leave, the limit of every cycle, upper bounds for model calls and costs, and the use of
 * session state keys. Requires only the chart, so you can also analyze a stored or edited chart.
 *
 * ```ts
 * const { bounds, findings } = analyzeChart(chart)
 * bounds.modelCalls.most // 12
 * ```
 */
export function analyzeChart(
  chart: AgentChart,
  { toolRounds = 1, prices, policies }: AnalyzeOptions = {},
): ChartAnalysis {
  checkChart(chart, "analyzeChart")
  const options = { toolRounds, ...(prices !== undefined && { prices }) }
  const { results, warnings } =
    policies === undefined
      ? { results: [], warnings: [] }
      : analyzePolicies(chart, policies, prices ?? null)
  return {
    ...analyzeWhole(chart, options),
    policies: results,
    policyWarnings: warnings,
  }
}

function analyzeWhole(
  chart: AgentChart,
  options: AnalyzeOptions & { readonly toolRounds: number },
): WithoutPolicies {
  const graph = taskGraphOf(chart)
  return graph === null ? analyzeAgents(chart, options) : analyzeGraph(chart, graph, options)
}

type WithoutPolicies = Omit<ChartAnalysis, "policies" | "policyWarnings">

/**
 * Analyzes a workflow graph, whose adk nodes run agent workflows. Adds up the upper bounds of all
 * nodes, and collects the findings of the agent workflows.
 */
function analyzeGraph(
  chart: AgentChart,
  graph: ChartTaskGraph,
  options: AnalyzeOptions & { readonly toolRounds: number },
): WithoutPolicies {
  const own = analyzeAgents(chart, options)
  const inner = new Map(
    Object.entries(chart.charts ?? {}).map(([key, each]) => [key, analyzeAgents(each, options)]),
  )
  const all = [own, ...inner.values()]
  const bounds = boundsOfGraph(graph, chart.id, (key) => inner.get(key)?.bounds ?? own.bounds)
  return {
    states: {
      unreachable: all.flatMap(({ states }) => states.unreachable),
      deadEnds: all.flatMap(({ states }) => states.deadEnds),
    },
    cycles: all.flatMap(({ cycles }) => cycles),
    bounds: { assumes: { toolRounds: options.toolRounds }, ...bounds },
    state: {
      keys: [...inner.values()].flatMap(({ state }) => state.keys),
      hostCode: all.some(({ state }) => state.hostCode),
    },
    findings: all.flatMap(({ findings }) => findings),
  }
}

/**
 * Analyzes the agents of a chart. If the chart contains no workflow graph, this is the complete
 * analysis. Otherwise, `analyzeGraph` combines the results of all agent workflows in the graph.
 */
function analyzeAgents(
  chart: AgentChart,
  { toolRounds, prices }: AnalyzeOptions & { readonly toolRounds: number },
): WithoutPolicies {
  const facts = chartFacts(chart)
  const plans = plansOf(chart, facts)
  const { findings: ofKeys, ...state } = analyzeKeys(chart, plans)
  const options = { toolRounds, ...(prices !== undefined && { prices }) }
  const bounds = boundsOf(
    chart,
    plans,
    defaultAssumptions(chart, toolRounds),
    prices ?? null,
    calledBounds(chart, (inner) => analyzeWhole(inner, options).bounds),
  )
  const named = (of: "unreachable" | "deadEnds"): readonly string[] =>
    [...facts].flatMap(([machine, known]) => known[of].map((path) => `${machine}.${path}`))
  return {
    states: { unreachable: named("unreachable"), deadEnds: named("deadEnds") },
    cycles: findChartCycles(facts),
    bounds: { assumes: { toolRounds }, ...bounds },
    state,
    findings: [...findInStates(chart, facts), ...findInCycles(chart, facts), ...ofKeys],
  }
}
