import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { modelCallRule } from "../budget-rule.js"
import type { RuleAutomaton } from "../rule-automaton.js"
import { countingAutomaton } from "../rule-automaton.js"
import type { Policy, PolicySet } from "../policy.js"
import type { PriceList } from "../price-list.js"
import { ChartNames } from "./chart-names.js"
import { watchCost } from "./cost-watch.js"
import type { NoFlowRule } from "../flow-endpoints.js"
import { flowEndpoints } from "../flow-endpoints.js"
import { watchFlow } from "./flow/flow-watch.js"
import type { WatchedPolicy } from "./policy-watch.js"
import { watchActivities } from "./policy-watch.js"
import type { EventFilter } from "./read-events.js"
import { eventFilter } from "./read-events.js"
import { watchAgentsTogether } from "./together-watch.js"

/**
 * A compiled policy whose automaton is deterministic. Its current state is a single number, for
 * example the number of calls so far.
 */
export interface CountingPolicy {
  readonly policy: Policy
  /** Index of the policy in the policy file, from 0. */
  readonly position: number
  readonly automaton: RuleAutomaton
  readonly filter: EventFilter
}

/** The policies of a file, compiled once for a chart. All runs of the chart share them. */
export interface CompiledPolicies {
  readonly chart: AgentChart
  readonly set: PolicySet
  readonly names: ChartNames
  readonly counting: readonly CountingPolicy[]
  /**
   * The policies that have no automaton, or a nondeterministic automaton with several possible
   * states at the same time. Each has its index in the policy file.
   */
  readonly watched: readonly { readonly position: number; readonly watch: WatchedPolicy }[]
}

/** Compiles the policies of a file for a chart. `prices` replaces the prices of the policy file. */
export function compilePolicies(
  chart: AgentChart,
  set: PolicySet,
  prices?: PriceList,
): CompiledPolicies {
  const names = new ChartNames(chart)
  // The assertion is safe: the prices of a policy file have the format of a price list.
  const allPrices = prices ?? (set.prices as PriceList | null)
  const counting: CountingPolicy[] = []
  const watched: { readonly position: number; readonly watch: WatchedPolicy }[] = []

  const addOrdered = (judged: Policy, policy: Policy, position: number): void => {
    const filter = eventFilter(judged, names, set)
    const automaton = countingAutomaton(judged)
    if (automaton !== null) {
      counting.push({ policy, position, automaton, filter })
      return
    }
    const watch = watchAgentsTogether(judged, names) ?? watchActivities(judged, filter)
    if (watch !== null) watched.push({ position, watch: { ...watch, policy } })
  }
  for (const [position, policy] of set.policies.entries()) {
    const { rule } = policy
    if (rule.pattern === "noFlow") {
      if (hasSource(rule, names))
        watched.push({
          position,
          watch: watchFlow(policy, flowEndpoints(rule), set, chart, names),
        })
    } else if (rule.pattern === "budget") {
      if (rule.modelCalls !== null)
        addOrdered({ ...policy, rule: modelCallRule(["*"], rule.modelCalls) }, policy, position)
      if (rule.cost !== null)
        watched.push({ position, watch: watchCost(policy, rule.cost, chart, allPrices, names) })
    } else addOrdered(policy, policy, position)
  }
  return { chart, set, names, counting, watched }
}

/** Returns whether a `noFlow` rule has a source whose data can occur in a run of the chart. */
const hasSource = (rule: NoFlowRule, names: ChartNames): boolean =>
  rule.from.some(({ kind, names: tools }) => kind !== "result" || names.mayCall(tools))
