import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelAssumptions } from "./model-assumptions.js"
import type { Counted, Measure, Share } from "./count.js"
import { countMost } from "./count.js"
import type { Plans } from "../plan/plan.js"
import type { PriceList } from "./prices.js"
import { priceOfCall } from "./prices.js"

/** An upper bound for one run. In the adk dialect, for one invocation. */
export interface Bound {
  /** null: unbounded, because neither the chart nor a setting limits it. */
  readonly most: number | null
  /** The bound that follows from the chart alone, without `maxModelCalls` and the budget. */
  readonly ofChart: number | null
  /** The settings that determine the bound, in addition to the maximums of loops. */
  readonly limitedBy: readonly string[]
  /** The agents on the execution path that reaches the bound, in chart order. */
  readonly path: readonly PathStep[]
}

/**
 * An agent on the path to a bound: its maximum number of turns (null: unbounded), and how much each
 * turn adds.
 */
export type PathStep = Omit<Share, "times"> & { readonly times: number | null }

export interface Bounds {
  readonly modelCalls: Bound
  /** Model responses whose tool calls are executed. */
  readonly toolRounds: Bound
  /** Requests to people: questions of HumanAgents, and confirmations of tool calls. */
  readonly humanWaits: Bound
  /** Only present if prices were passed. `most` is also null if a needed price is missing. */
  readonly cost?: Bound
  /** Maximum model calls of a run that the settings enforce, however models and people behave. */
  readonly ceiling: number
}

/** The measures that are counted without prices. */
export const countedMeasures = {
  modelCalls: { turn: (variant) => variant.modelCalls, human: 0 },
  toolRounds: { turn: (variant) => variant.toolRounds, human: 0 },
  humanWaits: { turn: (variant) => variant.humanWaits, human: 1 },
} as const satisfies Readonly<Record<string, Measure>>

/** Returns the bounds of a chart. They are valid as long as models stay within the assumptions. */
export function boundsOf(
  chart: AgentChart,
  plans: Plans,
  assumptions: ModelAssumptions,
  prices: PriceList | null,
): Bounds {
  const limit = limitOfCalls(chart)
  const calls = countMost(plans, assumptions, countedMeasures.modelCalls)
  const ceiling = calls.most === 0 ? 0 : limit.most
  return {
    modelCalls: limited(calls, limit),
    // Every tool round follows a model call, so the same limit applies.
    toolRounds: limited(countMost(plans, assumptions, countedMeasures.toolRounds), limit),
    humanWaits: limited(countMost(plans, assumptions, countedMeasures.humanWaits), null),
    ...(prices === null ? {} : { cost: costBound(chart, plans, assumptions, prices, limit) }),
    ceiling,
  }
}

interface Limit {
  readonly most: number
  readonly by: string
}

/** Returns the setting that ends a run after a number of model calls. */
function limitOfCalls({ settings: { maxModelCalls, budget } }: AgentChart): Limit {
  const budgeted =
    budget?.maxModelCalls === undefined || budget.onExceeded === "ask"
      ? Number.POSITIVE_INFINITY
      : budget.maxModelCalls
  return budgeted < maxModelCalls
    ? { most: budgeted, by: "budget" }
    : { most: maxModelCalls, by: "maxModelCalls" }
}

function limited({ most, shares, by }: Counted, limit: Limit | null): Bound {
  const ofChart = most <= Number.MAX_SAFE_INTEGER ? most : null
  const path = shares.map((share) => ({
    ...share,
    times: Number.isFinite(share.times) ? share.times : null,
  }))
  if (limit !== null && limit.most < most)
    return { most: limit.most, ofChart, limitedBy: [limit.by], path }
  return { most: ofChart, ofChart, limitedBy: [...by].sort(), path }
}

function costBound(
  chart: AgentChart,
  plans: Plans,
  assumptions: ModelAssumptions,
  prices: PriceList,
  limit: Limit,
): Bound {
  const price = (agent: string): number =>
    priceOfCall(agent, chart, prices) ?? Number.POSITIVE_INFINITY
  const cost = countMost(plans, assumptions, {
    turn: (variant, agent) => (variant.modelCalls === 0 ? 0 : variant.modelCalls * price(agent)),
    human: 0,
  })
  const highestPrice = Math.max(0, ...cost.shares.map(({ agent }) => price(agent)))
  return limited(cost, highestPrice === 0 ? null : { ...limit, most: limit.most * highestPrice })
}
