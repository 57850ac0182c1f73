import type { CompiledCondition } from "../../expression/index.js"
import { ConditionRefused, compileCondition } from "../../expression/index.js"

/**
 * Compiles a condition of a chart. Returns null for an invalid one, which only an edited chart
 * contains.
 */
export function readCondition(source: string): CompiledCondition | null {
  try {
    return compileCondition(source)
  } catch (cause) {
    if (cause instanceof ConditionRefused) return null
    throw cause
  }
}
