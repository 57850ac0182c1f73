import { ConditionRefused } from "../limits/condition-refused.js"

/** Refuses every name with a double underscore, wherever it is. */
export function refuseDunder(name: string, start: number): void {
  if (name.includes("__")) {
    throw new ConditionRefused(
      "dunder",
      `"${name}" is not allowed. Names with a double underscore give access to Python itself`,
      start,
    )
  }
}
