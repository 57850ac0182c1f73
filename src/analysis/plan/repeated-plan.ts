import type { GroupPlan, Plan, PlannedAgent } from "./plan.js"

/**
 * The default fields of a group plan: the group runs once, without conditions and without an output
 * key.
 */
export const plainGroup = {
  times: 1,
  timesBy: null,
  exitCondition: null,
  outputKey: null,
} as const

/** Returns a plan that repeats another plan up to `times` times. */
export const repeatedPlan = (plan: Plan, place: PlannedAgent, times: number): GroupPlan => ({
  ...place,
  ...plainGroup,
  type: "group",
  order: "any",
  children: [{ plan, when: null, times }],
})
