import { ConditionFailed } from "../../expression/index.js"
import { readCondition } from "./read-condition.js"

/**
 * Evaluates an expression with a session state and returns the number of items in the resulting
 * list. Returns null if the expression is invalid, fails, or does not return a list.
 */
export function countOf(source: string, state: Readonly<Record<string, unknown>>): number | null {
  try {
    const value = readCondition(source)?.evaluate(state)
    if (value?.type !== "list" && value?.type !== "tuple") return null
    // Lists and tuples are converted to arrays.
    return (value.toJson() as readonly unknown[]).length
  } catch (cause) {
    if (cause instanceof ConditionFailed) return null
    throw cause
  }
}
