import { ConditionRefused } from "../limits/condition-refused.js"

/**
 * Throws if a name contains a double underscore, because such names give access to internals of
 * Python. `start` is the offset of the name in the source.
 */
export function refuseDunder(name: string, start: number): void {
  if (name.includes("__")) {
    throw new ConditionRefused(
      "dunder",
      `"${name}" is not allowed. Use a name without a double underscore`,
      start,
    )
  }
}
