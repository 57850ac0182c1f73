import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelAssumptions } from "./model-assumptions.js"
import type { Counted, Measure, Share } from "./count.js"
import { countMost } from "./count.js"
import type { Plans } from "../plan/plan.js"
import type { PriceList } from "./prices.js"
import { priceOfCall } from "./prices.js"

/** The most that one run can come to; in the adk dialect one invocation, up to where the run rests. */
export interface Bound {
  /** null: nothing bounds it, neither the chart nor a setting. */
  readonly most: number | null
  /** The same without the limits of the whole run, `maxModelCalls` and the budget: what the chart alone allows. */
  readonly ofChart: number | null
  /** Settings that it comes from, besides the maxima of loops. */
  readonly limitedBy: readonly string[]
  /** The way that comes to it, in the order of the chart. */
  readonly path: readonly PathStep[]
}

/** An agent on the way: how often it runs at most (null: without a bound), and what each time adds. */
export type PathStep = Omit<Share, "times"> & { readonly times: number | null }

export interface Bounds {
  readonly modelCalls: Bound
  /** Responses of models whose tool calls are run. */
  readonly toolRounds: Bound
  /** Requests to people: those of HumanAgents, and confirmations of tool calls. */
  readonly humanWaits: Bound
  /** Only where prices are given; `most` is null where one that is needed is missing, too. */
  readonly cost?: Bound
  /** Model calls of a run whatever models and people do, as the settings stop it then. */
  readonly ceiling: number
}

/** What is counted besides the cost. */
export const countedMeasures = {
  modelCalls: { turn: (form) => form.modelCalls, human: 0 },
  toolRounds: { turn: (form) => form.toolRounds, human: 0 },
  humanWaits: { turn: (form) => form.humanWaits, human: 1 },
} as const satisfies Readonly<Record<string, Measure>>

/** Sound as long as models do no more than `conduct` says. */
export function boundsOf(
  chart: AgentChart,
  plans: Plans,
  conduct: ModelAssumptions,
  prices: PriceList | null,
): Bounds {
  const limit = limitOfCalls(chart)
  const calls = countMost(plans, conduct, countedMeasures.modelCalls)
  const ceiling = calls.most === 0 ? 0 : limit.most
  return {
    modelCalls: limited(calls, limit),
    // Each round comes after a call.
    toolRounds: limited(countMost(plans, conduct, countedMeasures.toolRounds), limit),
    humanWaits: limited(countMost(plans, conduct, countedMeasures.humanWaits), null),
    ...(prices === null ? {} : { cost: costBound(chart, plans, conduct, prices, limit) }),
    ceiling,
  }
}

interface Limit {
  readonly most: number
  readonly by: string
}

/** What stops a run from calling models, whatever it is doing. */
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
  conduct: ModelAssumptions,
  prices: PriceList,
  limit: Limit,
): Bound {
  const price = (agent: string): number =>
    priceOfCall(agent, chart, prices) ?? Number.POSITIVE_INFINITY
  const cost = countMost(plans, conduct, {
    turn: (form, agent) => (form.modelCalls === 0 ? 0 : form.modelCalls * price(agent)),
    human: 0,
  })
  const dearest = Math.max(0, ...cost.shares.map(({ agent }) => price(agent)))
  return limited(cost, dearest === 0 ? null : { ...limit, most: limit.most * dearest })
}
