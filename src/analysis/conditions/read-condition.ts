import type { CompiledCondition } from "../../expression/index.js"
import { ConditionRefused, compileCondition } from "../../expression/index.js"

/**
 * Compiles the source text of a condition. Returns null if the text is invalid. The compiler
 * rejects invalid conditions, so this only happens in charts that were edited by hand.
 */
export function readCondition(source: string): CompiledCondition | null {
  try {
    return compileCondition(source)
  } catch (cause) {
    if (cause instanceof ConditionRefused) return null
    throw cause
  }
}
