import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { policyModelNamesOf } from "../../machines/model-call/agent-models.js"
import { modelCallRule } from "../../policies/budget-rule.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { PriceList } from "../../policies/price-list.js"
import { callsWithRounds } from "../bounds/calls-with-rounds.js"
import { limitOfCalls } from "../bounds/limit-of-calls.js"
import { priceOfCall } from "../bounds/prices.js"
import type { OrderVerdict } from "../model-checking/decide-order.js"
import { decideOrder } from "../model-checking/decide-order.js"

/**
 * The verdict on a `budget` policy. `no_price` means that the price of a model is unknown, so the
 * cost cannot be computed. `toolRounds` is the number of tool rounds in a turn that a proof
 * assumes. It is absent if the policy is also proved without this assumption.
 */
export type BudgetVerdict =
  | OrderVerdict
  | { readonly verdict: "proved"; readonly states: 0; readonly toolRounds: number }
  | { readonly verdict: "no_price"; readonly model: string; readonly states: 0 }

/**
 * Decides whether a chart satisfies a `budget` policy, which limits model calls or costs
 * (docs/policies.md#budgets). Returns null for all other policies.
 */
export function decideBudget(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  prices: PriceList | null,
  mostPaths = 1,
): BudgetVerdict | null {
  const { rule } = policy
  if (rule.pattern !== "budget") return null
  const verdicts: BudgetVerdict[] = []
  if (rule.modelCalls !== null) {
    const most = rule.modelCalls
    verdicts.push(
      decideByLimit(
        chart,
        set,
        (calls) => calls <= most,
        () => decideCount(["*"], most, chart, policy, set, mostPaths),
      ),
    )
  }
  if (rule.cost !== null)
    verdicts.push(decideCost(rule.cost, chart, policy, set, prices, mostPaths))
  return (
    verdicts.find(({ verdict }) => verdict !== "proved") ??
    verdicts.find((verdict) => "toolRounds" in verdict) ??
    verdicts[0] ??
    null
  )
}

/**
 * Decides a limit of model calls or costs. First tries the limits of the chart, then explores the
 * runs with `explore`, then tries the number of calls that `assume.toolRounds` allows. `isWithin`
 * returns whether a maximum number of model calls keeps the limit.
 */
function decideByLimit(
  chart: AgentChart,
  { assume: { toolRounds } }: PolicySet,
  isWithin: (calls: number) => boolean,
  explore: () => OrderVerdict,
): BudgetVerdict {
  if (isWithin(limitOfCalls(chart.settings).most)) return { verdict: "proved", states: 0 }
  const decided = explore()
  return decided.verdict !== "proved" &&
    toolRounds !== null &&
    isWithin(callsWithRounds(chart, toolRounds))
    ? { verdict: "proved", states: 0, toolRounds }
    : decided
}

function decideCount(
  models: readonly string[],
  most: number,
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  mostPaths: number,
): OrderVerdict {
  const counted: Policy = { ...policy, rule: modelCallRule(models, most) }
  // A rule about a number of occurrences always has an automaton.
  return decideOrder(chart, counted, set, mostPaths) as OrderVerdict
}

function decideCost(
  most: number,
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  prices: PriceList | null,
  mostPaths: number,
): BudgetVerdict {
  const models = new Map<string, number>()
  let agents = 0
  for (const [agent, definition] of Object.entries(chart.agents)) {
    if (definition.type !== "LlmAgent") continue
    agents++
    for (const [index, model] of policyModelNamesOf(definition).entries()) {
      const other = index === 0 ? undefined : model
      const price = priceOfCall(agent, chart, prices ?? {}, other)
      if (price === null) return { verdict: "no_price", model, states: 0 }
      models.set(model, Math.max(models.get(model) ?? 0, price))
    }
  }
  const dearest = Math.max(0, ...models.values())
  const { budget } = chart.settings
  // The budget is checked before each call, so every call that is in flight can exceed it.
  const ofBudget =
    budget?.maxCost === undefined || budget.onExceeded === "ask"
      ? Infinity
      : budget.maxCost + agents * dearest
  return decideByLimit(
    chart,
    set,
    (calls) => Math.min(calls * dearest, ofBudget) <= most,
    () => decidePrices(models, most, chart, policy, set, mostPaths),
  )
}

/**
 * Returns `violated` if the calls of one model alone can cost more than `most`. `models` contains
 * the maximum cost of one call by model. Never returns `proved`, because the calls of several
 * models together may cost more.
 */
function decidePrices(
  models: ReadonlyMap<string, number>,
  most: number,
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  mostPaths: number,
): OrderVerdict {
  let last: OrderVerdict = { verdict: "proved", states: 0 }
  for (const [model, price] of models) {
    if (price === 0) continue
    const allowed = Math.floor(most / price)
    last = decideCount([model], allowed, chart, policy, set, mostPaths)
    if (last.verdict === "violated") return last
  }
  return last.verdict === "proved" ? { verdict: "limit", states: last.states, busiest: null } : last
}
