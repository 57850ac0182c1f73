import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { summarizerOf } from "../../machines/contract/compaction.js"
import { checkersOf } from "../../machines/contract/guardrails/guardrails.js"
import type { Expected } from "./expected.js"
import { expectedOf } from "./expected.js"
import type { ModelAssumptions, TurnVariant } from "./model-assumptions.js"
import { withoutFailures } from "./model-assumptions.js"
import type { Counted, Measure, Share } from "./count.js"
import { countMost } from "./count.js"
import type { CallLimit } from "./limit-of-calls.js"
import { limitOfCalls } from "./limit-of-calls.js"
import type { CalledBounds } from "./called-bounds.js"
import { modelCallsOf, onlyCalls, toolRoundsOf, withCalls } from "./called-bounds.js"
import type { Plans } from "../plan/plan.js"
import type { PriceList } from "../../policies/price-list.js"
import { highestPriceOf } from "./prices.js"

/**
 * An upper bound for one run of a workflow, for example for its model calls or its cost. In the adk
 * dialect, a run is one invocation.
 */
export interface Bound {
  /**
   * The maximum count or cost. null means unbounded, because neither the chart nor a setting limits
   * it.
   */
  readonly most: number | null
  /**
   * The maximum that follows from the chart alone, without the limits `maxModelCalls` and budget.
   * null means unbounded.
   */
  readonly ofChart: number | null
  /**
   * Names of the settings that limit `most`, for example `maxModelCalls`. The maximum number of
   * iterations of a single loop is not listed.
   */
  readonly limitedBy: readonly string[]
  /**
   * The agents on the execution path that reaches the bound, in chart order, with their
   * contributions.
   */
  readonly path: readonly PathStep[]
}

/**
 * An agent on the execution path that reaches an upper bound. `times` is the maximum number of its
 * turns (null means unbounded). `each` is the count or cost of one turn, for example 2 model calls.
 */
export type PathStep = Omit<Share, "times"> & { readonly times: number | null }

export interface Bounds {
  /**
   * The counts of model calls, tool rounds and requests to people in a run in which nothing is
   * repeated. Each loop runs once, and no model call fails.
   */
  readonly expected: Expected
  readonly modelCalls: Bound
  /**
   * Maximum number of tool rounds in a run. A tool round is a model response whose tool calls are
   * executed.
   */
  readonly toolRounds: Bound
  /**
   * Maximum number of requests to people: questions of HumanAgents, and confirmations of tool
   * calls.
   */
  readonly humanWaits: Bound
  /**
   * Maximum cost of a run, in the currency of the price list. Only present if prices were passed.
   * `most` is null if the cost is unbounded or a price is missing.
   */
  readonly cost?: Bound
  /**
   * Maximum number of model calls of a run that `maxModelCalls` and the budget allow. It applies to
   * any behavior of models and people. Includes the limits of called workflows.
   */
  readonly ceiling: number
}

/**
 * The quantities that are counted for upper bounds and need no price list. Each measure defines how
 * much one agent turn (`turn`) and one question to a person (`human`) add to the quantity.
 */
export const countedMeasures = {
  modelCalls: {
    turn: (variant) => variant.modelCalls + variant.summaries + checksIn(variant),
    human: 0,
  },
  toolRounds: { turn: (variant) => variant.toolRounds, human: 0 },
  humanWaits: { turn: (variant) => variant.humanWaits, human: 1 },
} as const satisfies Readonly<Record<string, Measure>>

/**
 * Returns upper bounds for the runs of a chart. The bounds are valid if models behave according to
 * `assumptions`. They include the runs of the workflows that the chart calls.
 */
export function boundsOf(
  chart: AgentChart,
  plans: Plans,
  assumptions: ModelAssumptions,
  prices: PriceList | null,
  called: CalledBounds,
): Bounds {
  const limit = limitOfCalls(chart.settings)
  const own = (measure: keyof typeof countedMeasures): Counted =>
    countMost(plans, assumptions, countedMeasures[measure])
  const all = (bound: Bound, ofCalled: (bounds: Bounds) => Bound | undefined): Bound =>
    withCalls(bound, plans, assumptions, called, ofCalled)
  const calls = own("modelCalls")
  const ofCalls = called.isUsed
    ? countMost(
        plans,
        assumptions,
        onlyCalls((agent) => called.ceiling(agent)),
      ).most
    : 0
  return {
    expected: expectedOf(plans, withoutFailures(assumptions), {
      modelCalls: expectedWithCalls("modelCalls", called),
      toolRounds: expectedWithCalls("toolRounds", called),
      humanWaits: expectedWithCalls("humanWaits", called),
    }),
    modelCalls: all(limited(calls, limit), modelCallsOf),
    // Every tool round follows a model call, so the same limit applies.
    toolRounds: all(limited(own("toolRounds"), limit), toolRoundsOf),
    humanWaits: all(limited(own("humanWaits"), null), (bounds) => bounds.humanWaits),
    ...(prices !== null && {
      cost: all(costBound(chart, plans, assumptions, prices, limit), (bounds) => bounds.cost),
    }),
    ceiling: (calls.most === 0 ? 0 : limit.most) + ofCalls,
  }
}

/**
 * Returns the measure `name` from `countedMeasures`, extended to workflow calls. Each workflow call
 * adds the expected count of the called workflow.
 */
const expectedWithCalls = (name: keyof typeof countedMeasures, called: CalledBounds): Measure => ({
  ...countedMeasures[name],
  call: (agent) => called.expected(agent, (expected) => expected[name]),
})

function limited({ most, shares, by }: Counted, limit: CallLimit | null): Bound {
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
  limit: CallLimit,
): Bound {
  const price = (agent: string): number => highestPriceOf(agent, chart, prices)
  const cost = countMost(plans, assumptions, {
    turn: ({ modelCalls, summaries, checks }, agent) =>
      costOf(modelCalls, price(agent)) +
      costOf(summaries, price(summarizerOf(agent))) +
      checks.reduce((sum, check) => sum + costOf(check.times, price(check.agent)), 0),
    human: 0,
  })
  const priced = cost.shares.flatMap(({ agent }) => [agent, ...helperAgentsOf(agent, chart)])
  const highestPrice = Math.max(0, ...priced.map(price))
  return limited(cost, highestPrice === 0 ? null : { ...limit, most: limit.most * highestPrice })
}

/**
 * Returns the number of model calls that guardrails (checks of input and output texts) make in one
 * turn.
 */
const checksIn = ({ checks }: TurnVariant): number =>
  checks.reduce((sum, { times }) => sum + times, 0)

/**
 * Returns the ids of the agents that summarize the conversation of `agent` or check its texts as
 * guardrails.
 */
function helperAgentsOf(agent: string, { agents }: AgentChart): readonly string[] {
  const definition = Object.hasOwn(agents, agent) ? agents[agent] : undefined
  if (definition?.type !== "LlmAgent") return []
  const { compaction, guardrails } = definition
  return [...(compaction === undefined ? [] : [compaction.summarizer]), ...checkersOf(guardrails)]
}

/**
 * Returns the cost of `calls` model calls. Zero calls cost 0, even if the price is Infinity because
 * it is unknown.
 */
const costOf = (calls: number, price: number): number => (calls === 0 ? 0 : calls * price)
