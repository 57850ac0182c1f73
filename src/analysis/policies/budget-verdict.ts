import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { policyModelsOf } from "../../machines/model-call/fallback.js"
import { modelCallRule } from "../../policies/budget-rule.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { PriceList } from "../../policies/price-list.js"
import { limitOfCalls } from "../bounds/limit-of-calls.js"
import { priceOfCall } from "../bounds/prices.js"
import type { OrderVerdict } from "../model-checking/decide-order.js"
import { decideOrder } from "../model-checking/decide-order.js"

/**
 * The verdict on a `budget` policy. `no_price` means that the price of a model is unknown, so the
 * cost cannot be computed.
 */
export type BudgetVerdict =
  | OrderVerdict
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
  const { most: mostCalls } = limitOfCalls(chart.settings)
  const verdicts: BudgetVerdict[] = []
  if (rule.modelCalls !== null)
    verdicts.push(
      mostCalls <= rule.modelCalls
        ? { verdict: "proved", states: 0 }
        : decideCount(["*"], rule.modelCalls, chart, policy, set, mostPaths),
    )
  if (rule.cost !== null)
    verdicts.push(decideCost(rule.cost, mostCalls, chart, policy, set, prices, mostPaths))
  return verdicts.find(({ verdict }) => verdict !== "proved") ?? verdicts[0] ?? null
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
  mostCalls: number,
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
    for (const [index, model] of policyModelsOf(definition).entries()) {
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
  if (Math.min(mostCalls * dearest, ofBudget) <= most) return { verdict: "proved", states: 0 }
  let last: OrderVerdict = { verdict: "proved", states: 0 }
  for (const [model, price] of models) {
    if (price === 0) continue
    const allowed = Math.floor(most / price)
    last = decideCount([model], allowed, chart, policy, set, mostPaths)
    if (last.verdict === "violated") return last
  }
  return last.verdict === "proved" ? { verdict: "limit", states: last.states, busiest: null } : last
}
