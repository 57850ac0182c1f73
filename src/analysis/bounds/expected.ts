import type { GroupPlan, Plan, PlanChild, Plans, TeamPlan } from "../plan/plan.js"
import type { Counted, Measure } from "./count.js"
import { countMost } from "./count.js"
import type { countedMeasures } from "./bounds.js"
import type { ModelAssumptions } from "./model-assumptions.js"

/**
 * An assumption about the simple run for which the expected counts are computed. Only assumptions
 * that change the counts are reported. For example, `loops_run_once` is reported only if the chart
 * contains a loop.
 */
export type ExpectedAssumption =
  | "conditions_are_true"
  | "first_cycle_ends"
  | "graph_nodes_run_once"
  | "host_functions_run_agents_once"
  | "lists_have_one_item"
  | "loops_run_once"
  | "one_handoff"

/**
 * The counts of a run in which nothing is repeated. Each agent has one turn, each loop runs once,
 * and each team hands off once. The limits `maxModelCalls` and budget are ignored. A count is null
 * if an agent calls itself through its tools.
 */
export interface Expected {
  readonly modelCalls: number | null
  readonly toolRounds: number | null
  readonly humanWaits: number | null
  /**
   * The assumptions on which the counts in this object depend, in alphabetical order, such as
   * `loops_run_once`.
   */
  readonly assumes: readonly ExpectedAssumption[]
}

/**
 * Returns the counts of a run in which nothing is repeated. Uses the same method as the upper
 * bounds, but with each loop and each agent limited to one run.
 */
export function expectedOf(
  plans: Plans,
  assumptions: ModelAssumptions,
  measures: Readonly<Record<keyof typeof countedMeasures, Measure>>,
): Expected {
  const assumes = new Set<ExpectedAssumption>()
  const singlePlans: Plans = {
    root: plans.root,
    byMachine: new Map(
      [...plans.byMachine].map(([machine, plan]) => [
        machine,
        plan === null ? null : childOnce(plan, assumes),
      ]),
    ),
  }
  const count = (measure: keyof typeof countedMeasures): number | null =>
    finite(countMost(singlePlans, assumptions, measures[measure]))
  return {
    modelCalls: count("modelCalls"),
    toolRounds: count("toolRounds"),
    humanWaits: count("humanWaits"),
    assumes: [...assumes].sort(),
  }
}

const finite = ({ most }: Counted): number | null => (most <= Number.MAX_SAFE_INTEGER ? most : null)

type Assumed = Set<ExpectedAssumption>

function childOnce(
  { plan, when, times }: PlanChild,
  assumes: Assumed,
  repeated: ExpectedAssumption = "loops_run_once",
): PlanChild {
  if (when !== null) assumes.add("conditions_are_true")
  if (times > 1) assumes.add(repeated)
  return once({ plan: planOnce(plan, assumes), when, times })
}

const once = (child: PlanChild): PlanChild => ({ ...child, times: Math.min(child.times, 1) })

function planOnce(plan: Plan, assumes: Assumed): Plan {
  switch (plan.type) {
    case "group":
      return groupOnce(plan, assumes)
    case "team":
      return teamOnce(plan, assumes)
    case "code":
    case "human":
    case "wait":
    case "call":
    case "machine":
    case "turn":
      return plan
  }
}

function groupOnce(group: GroupPlan, assumes: Assumed): GroupPlan {
  const isGraph = group.order === "any" && group.kind === "Workflow"
  if (isGraph) assumes.add("graph_nodes_run_once")
  if (group.times > 1 && group.children.length > 0) assumes.add(assumptionOf(group))
  return {
    ...group,
    times: Math.min(group.times, 1),
    timesBy: null,
    children: group.children.map((child) =>
      childOnce(
        isGraph ? once(child) : child,
        assumes,
        group.forEach === undefined ? "loops_run_once" : "lists_have_one_item",
      ),
    ),
  }
}

function assumptionOf({ timesBy, order }: GroupPlan): ExpectedAssumption {
  if (timesBy === "maxOrchestrationCycles") return "first_cycle_ends"
  return order === "any" ? "host_functions_run_agents_once" : "loops_run_once"
}

function teamOnce(team: TeamPlan, assumes: Assumed): TeamPlan {
  if (team.cycles > 1) assumes.add("first_cycle_ends")
  if (team.members.some(({ targets }) => targets.length > 0)) assumes.add("one_handoff")
  return {
    ...team,
    starts: team.starts.slice(0, 1),
    maxHandoffs: Math.min(team.maxHandoffs, 1),
    cycles: 1,
    members: team.members.map((member) => ({
      ...member,
      ...childOnce(once(member), assumes),
    })),
  }
}
