import type { CallerLimits } from "../../machines/contract/budget.js"

/**
 * The maximum number of model calls of a run, and the name of the setting that defines this
 * maximum.
 */
export interface CallLimit {
  readonly most: number
  readonly by: "budget" | "maxModelCalls"
}

/**
 * Returns the lower of the two limits for model calls, which are `maxModelCalls` and the budget.
 * Ignores a budget with `onExceeded: ask`, because a person can raise it.
 */
export function limitOfCalls({ maxModelCalls = Infinity, budget }: CallerLimits): CallLimit {
  const ofBudget = budget?.onExceeded === "ask" ? Infinity : (budget?.maxModelCalls ?? Infinity)
  return ofBudget < maxModelCalls
    ? { most: ofBudget, by: "budget" }
    : { most: maxModelCalls, by: "maxModelCalls" }
}
