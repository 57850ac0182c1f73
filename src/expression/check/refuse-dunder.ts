import { ConditionRefused } from "../limits/condition-refused.js"

/**
 * Refuses names that contain a double underscore, because they give access to internals of Python.
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
