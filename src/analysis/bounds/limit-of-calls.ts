import type { CallerLimits } from "../../machines/contract/budget.js"

/** The maximum number of model calls of a run, and the setting that it comes from. */
export interface CallLimit {
  readonly most: number
  readonly by: "budget" | "maxModelCalls"
}

/**
 * Returns the lower of the two settings that limit the number of model calls of a run,
 * `maxModelCalls` and the budget. With `onExceeded: ask` the budget does not limit the calls,
 * because a person can raise it.
 */
export function limitOfCalls({ maxModelCalls = Infinity, budget }: CallerLimits): CallLimit {
  const ofBudget = budget?.onExceeded === "ask" ? Infinity : (budget?.maxModelCalls ?? Infinity)
  return ofBudget < maxModelCalls
    ? { most: ofBudget, by: "budget" }
    : { most: maxModelCalls, by: "maxModelCalls" }
}
