import type { ModelAssumptions, TurnVariant } from "./model-assumptions.js"
import type { GroupPlan, LeafPlan, Plan, PlanChild, Plans, TeamPlan } from "../plan/plan.js"
import { longestWalk } from "./longest-walk.js"

/**
 * A quantity that is counted to compute an upper bound for a run, such as the number of model
 * calls. `turn` returns the amount for one turn of an agent, and `human` is the amount for one
 * question to a person.
 */
export interface Measure {
  turn(variant: TurnVariant, agent: string): number
  readonly human: number
  /**
   * Returns the amount for one workflow call by `agent`, for example the model calls of the called
   * workflow. If absent, workflow calls count as 0.
   */
  call?(agent: string): number
}

/** The contribution of one agent to an upper bound, for example 3 turns with 2 model calls each. */
export interface Share {
  readonly agent: string
  /**
   * Path of the agent in its machine. `[*]` marks a repeated part, for example
   * `pipeline/rounds[*]/writer`.
   */
  readonly path: string
  /** Maximum number of turns of the agent on the most expensive execution path. */
  readonly times: number
  /** The count or cost of one turn of the agent, for example 2 model calls. */
  readonly each: number
}

export interface Counted {
  /**
   * The maximum of the counted quantity in a run, for example 12 model calls. Infinity means that
   * the chart does not limit the quantity.
   */
  readonly most: number
  readonly shares: readonly Share[]
  /** Names of the settings that limit `most`, for example `maxIterations`. */
  readonly by: ReadonlySet<string>
}

/**
 * Multiplies two numbers. Unlike JavaScript, returns 0 for zero times infinity, because a turn that
 * costs nothing also costs nothing in an unbounded loop.
 */
const multiply = (times: number, value: number): number =>
  times === 0 || value === 0 ? 0 : times * value

export interface Counting {
  readonly plans: Plans
  readonly assumptions: ModelAssumptions
  readonly measure: Measure
  /**
   * The counted quantity for one run of each machine, such as its model calls, by machine key. The
   * value is NaN while the machine is being counted, so that recursive machines can be detected.
   */
  readonly known: Map<string, number>
  /** Machine keys, sorted so that each machine comes after all machines that it invokes. */
  readonly order: string[]
}

export const startCounting = (
  plans: Plans,
  assumptions: ModelAssumptions,
  measure: Measure,
): Counting => ({
  plans,
  assumptions: assumptions,
  measure,
  known: new Map(),
  order: [],
})

/**
 * Returns the maximum of a counted quantity (`measure`) in a run, and the agents that contribute to
 * it. Each machine is counted only once. If it runs several times, its count is multiplied.
 */
export function countMost(plans: Plans, assumptions: ModelAssumptions, measure: Measure): Counted {
  const counting = startCounting(plans, assumptions, measure)
  const most = machineCount(plans.root, counting)
  return { most, ...sharesOf(counting) }
}

function machineCount(machine: string, counting: Counting): number {
  const known = counting.known.get(machine)
  // A machine that runs itself, directly or through other machines, has no bound.
  if (known !== undefined) return Number.isNaN(known) ? Number.POSITIVE_INFINITY : known
  counting.known.set(machine, Number.NaN)
  const plan = counting.plans.byMachine.get(machine) ?? null
  const count = plan === null ? 0 : childCount(plan, counting)
  counting.known.set(machine, count)
  counting.order.push(machine)
  return count
}

const childCount = ({ plan, times }: PlanChild, counting: Counting): number =>
  times === 0 ? 0 : multiply(times, planCount(plan, counting))

function planCount(plan: Plan, counting: Counting): number {
  switch (plan.type) {
    case "code":
    case "wait":
      return 0
    case "human":
      return counting.measure.human
    case "call":
      return counting.measure.call?.(plan.agent) ?? 0
    case "turn":
      return largestVariant(plan.agent, counting)?.count ?? 0
    case "machine":
      return machineCount(plan.machine, counting)
    case "group":
      return groupCount(plan, counting)
    case "team":
      return walkOf(plan, counting).count
  }
}

const groupCount = ({ children, times }: GroupPlan, counting: Counting): number =>
  times === 0
    ? 0
    : multiply(
        times,
        children.reduce((sum, child) => sum + childCount(child, counting), 0),
      )

/**
 * Returns the possible variant of an agent's turn that has the highest count, and this count. The
 * count includes the agents that its AgentTools run, and `own` does not. Returns null if the agent
 * has no model.
 */
export function largestVariant(
  agent: string,
  counting: Counting,
): { readonly variant: TurnVariant; readonly count: number; readonly own: number } | null {
  const variants = counting.assumptions.turnVariants(agent).map((variant) => {
    const own = counting.measure.turn(variant, agent)
    return {
      variant,
      own,
      count: variant.targets.reduce(
        (sum, { machine, times }) => sum + multiply(times, machineCount(machine, counting)),
        own,
      ),
    }
  })
  return variants.reduce<(typeof variants)[number] | null>(
    (most, variant) => (most === null || variant.count > most.count ? variant : most),
    null,
  )
}

export function walkOf(team: TeamPlan, counting: Counting) {
  const cycles = team.cycles === 1 ? 1 : team.cycles * (1 + counting.assumptions.userMessages)
  return longestWalk(
    { ...team, cycles },
    team.members.map((member) => childCount(member, counting)),
  )
}

/**
 * Returns the contribution of each agent on the most expensive execution path. Visits each machine
 * after all machines that invoke it.
 */
function sharesOf(counting: Counting): {
  readonly shares: readonly Share[]
  readonly by: ReadonlySet<string>
} {
  const shares: Share[] = []
  const by = new Set<string>()
  const runs = new Map([[counting.plans.root, 1]])
  const run = (machine: string, times: number): void =>
    void runs.set(machine, (runs.get(machine) ?? 0) + times)
  const leaf = ({ agent, path }: LeafPlan, times: number, each: number): void => {
    if (each > 0) shares.push({ agent, path, times, each })
  }
  const visit = (plan: Plan, times: number): void => {
    if (times === 0) return
    switch (plan.type) {
      case "code":
      case "wait":
        return
      case "human":
        return leaf(plan, times, counting.measure.human)
      case "call":
        return leaf(plan, times, counting.measure.call?.(plan.agent) ?? 0)
      case "turn": {
        const variant = largestVariant(plan.agent, counting)
        if (variant === null) return
        leaf(plan, times, variant.own)
        for (const { machine, times: calls } of variant.variant.targets)
          if (machineCount(machine, counting) > 0) run(machine, multiply(times, calls))
        return
      }
      case "machine":
        return run(plan.machine, times)
      case "group":
        if (plan.timesBy !== null && groupCount(plan, counting) > 0) by.add(plan.timesBy)
        for (const child of plan.children)
          visit(child.plan, multiply(times, multiply(plan.times, child.times)))
        return
      case "team": {
        const walk = walkOf(plan, counting)
        if (walk.count > 0 && walk.handoffs === plan.maxHandoffs) by.add("maxHandoffs")
        if (walk.count > 0 && plan.cycles > 1) by.add("maxOrchestrationCycles")
        for (const [index, member] of plan.members.entries())
          visit(member.plan, multiply(times, multiply(walk.visits[index] ?? 0, member.times)))
      }
    }
  }
  for (const machine of counting.order.toReversed()) {
    const times = runs.get(machine) ?? 0
    const plan = counting.plans.byMachine.get(machine) ?? null
    if (times > 0 && plan !== null) visit(plan.plan, multiply(times, plan.times))
  }
  return { shares, by }
}
