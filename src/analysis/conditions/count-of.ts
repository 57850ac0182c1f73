import { ConditionFailed } from "../../expression/index.js"
import { readCondition } from "./read-condition.js"

/**
 * Returns the number of items in the list that an expression returns. null: the result is not a
 * list.
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
