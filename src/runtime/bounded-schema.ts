import { Validator } from "@cfworker/json-schema"
import type { JsonObject } from "../machines/contract.js"

/** So many schemas may be held against parts of one value: a schema that refers to another one twice, and so on, doubles the work with every step. */
const mostChecks = 1_000_000

/** Where items have to be unique, each is compared with each other. */
const mostComparisons = 20_000_000

/**
 * A schema that can be asked about any value: a config or an MCP server may have brought the schema, and a model the value. What would
 * take too long throws. What a `pattern` costs is not bounded by this.
 */
export function boundedValidator(
  schema: JsonObject,
): (value: unknown) => ReturnType<Validator["validate"]> {
  let left = 0
  let hasUniqueItems = false
  const spend = (): void => {
    if (--left < 0) throw new Error(`it would take more than ${mostChecks} checks`)
  }
  const counted = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part
    if (Array.isArray(part)) return part.map(counted)
    hasUniqueItems ||= Object.hasOwn(part, "uniqueItems")
    const copy: Readonly<Record<string, unknown>> = Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [key, counted(inner)]),
    )
    const ref = Object.hasOwn(copy, "$ref") ? copy["$ref"] : undefined
    const get = (): unknown => {
      spend()
      return ref
    }
    // The validator reads this of every schema that it holds against something, whether it is there or not.
    return Object.defineProperty(copy, "$ref", { enumerable: Object.hasOwn(copy, "$ref"), get })
  }
  left = Infinity
  const validator = new Validator(counted(schema) as JsonObject, "2020-12", false)
  return (value) => {
    if (hasUniqueItems) sizeOf(value)
    left = mostChecks
    return validator.validate(value)
  }
}

/** How many values there are in one; throws where a list has more than can be compared. */
function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  const size = inner.reduce<number>((sum, one) => sum + sizeOf(one), 1)
  if (Array.isArray(value) && value.length * size > mostComparisons)
    throw new Error(`a list of ${value.length} items is too long to see whether they are unique`)
  return size
}
