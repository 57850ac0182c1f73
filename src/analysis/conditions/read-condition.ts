import type { CompiledCondition } from "../../expression/index.js"
import { ConditionRefused, compileCondition } from "../../expression/index.js"

/** A condition of the chart; null for one that is refused, which only an edited chart has. */
export function readCondition(source: string): CompiledCondition | null {
  try {
    return compileCondition(source)
  } catch (cause) {
    if (cause instanceof ConditionRefused) return null
    throw cause
  }
}
