import type { JsonObject } from "../../../machines/contract.js"
import { configLimits } from "../limits.js"
import type { Place } from "../place.js"
import { fieldOf, report } from "../place.js"
import type { Reader } from "./field-table.js"
import { objectOf, refuseType } from "./plain-values.js"

/** An object whose keys are the user's own data: kept as it is, whatever the keys look like. */
export const data: Reader<JsonObject> = (value, at) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, at, "an object", 'an object in { }')
  return isStorable(object, at, configLimits.dataDepth) ? object : null
}

/** Anything: for data that is not looked into. */
export const anything: Reader<unknown> = (value) => value

function isStorable(value: unknown, at: Place, depth: number): boolean {
  if (typeof value === "number" && !Number.isFinite(value)) {
    report(at, { code: "bad_value", says: "is a number too large to be stored", cure: "Write it as a text." })
    return false
  }
  if (typeof value !== "object" || value === null) return true
  if (depth === 0) {
    report(at, {
      code: "nesting_too_deep",
      says: `is nested deeper than ${configLimits.dataDepth} levels`,
      cure: "Make this data flatter.",
    })
    return false
  }
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "object" && typeof inner !== "number") continue
    if (!isStorable(inner, fieldOf(at, Array.isArray(value) ? Number(key) : key), depth - 1)) return false
  }
  return true
}
