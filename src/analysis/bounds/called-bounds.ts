import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Bound, Bounds } from "./bounds.js"
import type { Counted, Measure } from "./count.js"
import { countMost } from "./count.js"
import type { Expected } from "./expected.js"
import { limitOfCalls } from "./limit-of-calls.js"
import type { ModelAssumptions } from "./model-assumptions.js"
import type { Plans } from "../plan/plan.js"

/**
 * Computes the upper bounds of a workflow from its chart. It is called for each workflow that an
 * agent of the analyzed chart calls.
 */
export type BoundsOfChart = (chart: AgentChart) => Bounds

/** Upper bounds and expected counts of the workflows that the agents of a chart call. */
export interface CalledBounds {
  /**
   * Returns the upper bound for a single workflow call that `agent` makes. `bound` selects the kind
   * of bound, for example model calls. Returns Infinity if the workflow is unbounded or unknown.
   */
  most(agent: string, bound: (bounds: Bounds) => Bound | undefined): number
  /**
   * Returns the expected count for a single workflow call that `agent` makes. `count` selects the
   * kind of count, for example model calls. Returns Infinity if the count is unknown.
   */
  expected(agent: string, count: (expected: Expected) => number | null): number
  /**
   * Returns the maximum number of model calls that the limits allow for a single workflow call that
   * `agent` makes. Returns Infinity if the maximum is unknown.
   */
  ceiling(agent: string): number
  /**
   * Names of the settings in called workflows that limit their model calls, for example
   * `maxModelCalls`.
   */
  readonly limitedBy: ReadonlySet<string>
  /** Whether any agent of the chart calls a workflow that runs in the same program. */
  readonly isUsed: boolean
}

/**
 * Computes the upper bounds of the workflows that the agents of a chart call. If several agents
 * call the same workflow, computes its bounds once for each agent. Ignores remote agents, because
 * their servers make the model calls.
 */
export function calledBounds(chart: AgentChart, boundsOfChart: BoundsOfChart): CalledBounds {
  const limitedBy = new Set<string>()
  const known = new Map<string, { readonly bounds: Bounds | null; readonly limit: number }>()
  for (const [id, agent] of Object.entries(chart.agents)) {
    if (agent.type !== "WorkflowAgent") continue
    // The model calls of a remote agent belong to its server.
    if (agent.remote !== undefined) continue
    const { workflow, limits = {} } = agent
    const inner =
      chart.workflows !== undefined && Object.hasOwn(chart.workflows, workflow)
        ? chart.workflows[workflow]
        : undefined
    const bounds = inner === undefined ? null : boundsOfChart(inner)
    for (const name of bounds?.modelCalls.limitedBy ?? []) limitedBy.add(name)
    known.set(id, { bounds, limit: limitOfCalls(limits).most })
  }
  return {
    most(agent, bound) {
      const { bounds, limit } = known.get(agent) ?? { bounds: null, limit: Infinity }
      const { most = 0 } = bounds === null ? { most: null } : (bound(bounds) ?? {})
      return isOfModelCalls(bound) ? Math.min(most ?? Infinity, limit) : (most ?? Infinity)
    },
    expected(agent, count) {
      const bounds = known.get(agent)?.bounds ?? null
      return bounds === null ? Infinity : (count(bounds.expected) ?? Infinity)
    },
    ceiling(agent) {
      const { bounds, limit } = known.get(agent) ?? { bounds: null, limit: Infinity }
      return Math.min(bounds?.ceiling ?? Infinity, limit)
    },
    limitedBy,
    isUsed: known.size > 0,
  }
}

export const modelCallsOf = (bounds: Bounds): Bound => bounds.modelCalls
export const toolRoundsOf = (bounds: Bounds): Bound => bounds.toolRounds

/**
 * Returns whether the quantity that `bound` selects is limited by a maximum number of model calls.
 * This applies to model calls and to tool rounds (responses with tool calls), because each tool
 * round needs a model call.
 */
const isOfModelCalls = (bound: unknown): boolean => bound === modelCallsOf || bound === toolRoundsOf

/**
 * Adds the upper bounds of the called workflows to `own`, the upper bound of the calling chart. The
 * limits of the calling chart do not apply to the called workflows.
 */
export function withCalls(
  own: Bound,
  plans: Plans,
  assumptions: ModelAssumptions,
  called: CalledBounds,
  bound: (bounds: Bounds) => Bound | undefined,
): Bound {
  if (!called.isUsed) return own
  const counted = countMost(
    plans,
    assumptions,
    onlyCalls((agent) => called.most(agent, bound)),
  )
  const more = finite(counted)
  return {
    most: sum(own.most, more),
    ofChart: sum(own.ofChart, more),
    limitedBy: [
      ...new Set([
        ...(own.most === 0 ? [] : own.limitedBy),
        ...(more === 0 ? [] : called.limitedBy),
      ]),
    ].sort(),
    path: [
      ...own.path,
      ...counted.shares.map((share) => ({
        ...share,
        times: Number.isFinite(share.times) ? share.times : null,
      })),
    ],
  }
}

/**
 * Returns a measure (a counted quantity) to which only workflow calls contribute. `call` returns
 * the amount for one workflow call by an agent.
 */
export const onlyCalls = (call: (agent: string) => number): Measure => ({
  turn: () => 0,
  human: 0,
  call,
})

const finite = ({ most }: Counted): number | null => (most <= Number.MAX_SAFE_INTEGER ? most : null)

const sum = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other
