import type { ModelAssumptions, TurnVariant } from "./model-assumptions.js"
import type { GroupPlan, LeafPlan, Plan, PlanChild, Plans, TeamPlan } from "../plan/plan.js"
import { longestWalk } from "./longest-walk.js"

/** What is counted over a run: so much for one turn in a form, so much for one question to a person. */
export interface Measure {
  turn(form: TurnVariant, agent: string): number
  readonly human: number
}

/** A part of the most that a run can come to. */
export interface Share {
  readonly agent: string
  /** Where it stands in its machine. */
  readonly path: string
  /** How often it runs at most on the way that costs most. */
  readonly times: number
  /** What one of these comes to by itself. */
  readonly each: number
}

export interface Counted {
  /** Infinity where nothing in the chart bounds it. */
  readonly most: number
  readonly shares: readonly Share[]
  /** Settings that bound it. */
  readonly by: ReadonlySet<string>
}

/** So many times something that may be unbounded: none of it is none. */
const multiply = (times: number, value: number): number =>
  times === 0 || value === 0 ? 0 : times * value

export interface Counting {
  readonly plans: Plans
  readonly assumptions: ModelAssumptions
  readonly measure: Measure
  /** What each machine comes to, once it is known; NaN while it is being counted. */
  readonly known: Map<string, number>
  /** Machines in the order in which they were known: each after all that it runs. */
  readonly order: string[]
}

export const startCounting = (
  plans: Plans,
  conduct: ModelAssumptions,
  measure: Measure,
): Counting => ({
  plans,
  assumptions: conduct,
  measure,
  known: new Map(),
  order: [],
})

/** The most that a run can come to, and on which way. Each machine is looked at once, however often it is run. */
export function countMost(plans: Plans, conduct: ModelAssumptions, measure: Measure): Counted {
  const counting = startCounting(plans, conduct, measure)
  const most = machineCount(plans.root, counting)
  return { most, ...sharesOf(counting) }
}

function machineCount(machine: string, counting: Counting): number {
  const known = counting.known.get(machine)
  // One that runs itself is bounded by nothing.
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
      return 0
    case "human":
      return counting.measure.human
    case "turn":
      return costliest(plan.agent, counting)?.count ?? 0
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

/** The form of an agent's turn that comes to most, with what its AgentTools run. */
export function costliest(
  agent: string,
  counting: Counting,
): { readonly form: TurnVariant; readonly count: number; readonly own: number } | null {
  const forms = counting.assumptions.turnVariants(agent).map((form) => {
    const own = counting.measure.turn(form, agent)
    return {
      form,
      own,
      count: form.targets.reduce(
        (sum, { machine, times }) => sum + multiply(times, machineCount(machine, counting)),
        own,
      ),
    }
  })
  return forms.reduce<(typeof forms)[number] | null>(
    (most, form) => (most === null || form.count > most.count ? form : most),
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

/** Goes down the way that costs most, each machine after all that run it. */
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
        return
      case "human":
        return leaf(plan, times, counting.measure.human)
      case "turn": {
        const form = costliest(plan.agent, counting)
        if (form === null) return
        leaf(plan, times, form.own)
        for (const { machine, times: calls } of form.form.targets)
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
