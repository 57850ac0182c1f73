import type { CompiledCondition } from "../../expression/index.js"
import { ConditionRefused, compileCondition } from "../../expression/index.js"

/**
 * Compiles a condition of a chart. Returns null if the condition is invalid, which is only possible
 * in edited charts.
 */
export function readCondition(source: string): CompiledCondition | null {
  try {
    return compileCondition(source)
  } catch (cause) {
    if (cause instanceof ConditionRefused) return null
    throw cause
  }
}
