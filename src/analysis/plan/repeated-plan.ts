import type { GroupPlan, Plan, PlannedAgent } from "./plan.js"

/**
 * Default fields of a `GroupPlan`. A group with these fields runs once, has no exit condition, and
 * writes no output to the session state.
 */
export const plainGroup = {
  times: 1,
  timesBy: null,
  exitCondition: null,
  outputKey: null,
} as const

/**
 * Returns a `GroupPlan` with one child. The child has the plan `plan` and can run up to `times`
 * times.
 */
export const repeatedPlan = (plan: Plan, planned: PlannedAgent, times: number): GroupPlan => ({
  ...planned,
  ...plainGroup,
  type: "group",
  order: "any",
  children: [{ plan, when: null, times }],
})
