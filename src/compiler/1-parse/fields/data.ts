import type { JsonObject } from "../../../machines/data/json-object.js"
import { configLimits } from "../../document/config-limits.js"
import { report } from "../../diagnostics/config-location.js"
import type { Reader } from "./field-table.js"
import { objectOf, refuseType } from "./plain-values.js"

/**
 * Parses an object that contains data of the user. Its keys are not field names, so keys and values
 * are kept unchanged.
 */
export const data: Reader<JsonObject> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", "an object in { }")
  const refused = whyNotStorable(object, configLimits.dataDepth)
  if (refused === null) return object
  return refused === "too deep"
    ? report(location, {
        code: "nesting_too_deep",
        problem: `is nested deeper than ${configLimits.dataDepth} levels`,
        fix: "Make this data flatter.",
      })
    : report(location, {
        code: "bad_value",
        problem: "contains a number that is too large to store",
        fix: "Write this number as a string.",
      })
}

/** Returns any config value unchanged, without checking it. */
export const anything: Reader<unknown> = (value) => value

function whyNotStorable(value: unknown, depth: number): "too deep" | "too large" | null {
  if (typeof value === "number" && !Number.isFinite(value)) return "too large"
  if (typeof value !== "object" || value === null) return null
  if (depth === 0) return "too deep"
  for (const inner of Object.values(value)) {
    if (typeof inner !== "object" && typeof inner !== "number") continue
    const refused = whyNotStorable(inner, depth - 1)
    if (refused !== null) return refused
  }
  return null
}
