import { AgentStatechartsError } from "../../errors.js"
import type { SchemaMeter } from "./schema-meter.js"

/** Type of a JSON value, as in the JSON Schema keyword `type`. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object"

/**
 * Returns the JSON type of a value. Throws if the value is not JSON, for example if it is a
 * function.
 */
export function typeOf(value: unknown): JsonType {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  const type = typeof value
  if (type === "boolean" || type === "number" || type === "string" || type === "object") return type
  throw new AgentStatechartsError("schema_violated", `a value of type ${type} is not JSON`)
}

/**
 * Returns a canonical text for a JSON value. Two values have the same text if and only if they are
 * equal. The order of object keys does not matter. Throws if `meter` has no steps left.
 */
export function canonical(value: unknown, meter: SchemaMeter): string {
  meter.spend(1)
  if (typeof value === "string") {
    meter.spend(value.length / 16)
    return JSON.stringify(value)
  }
  if (typeof value !== "object" || value === null) return String(Object.is(value, -0) ? 0 : value)
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, meter)).join()}]`
  const entries = Object.entries(value)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  const fields = entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry, meter)}`)
  return `{${fields.join()}}`
}

/** Returns the indexes of the first pair of equal items, or null if all items are different. */
export function firstDuplicates(
  items: readonly unknown[],
  meter: SchemaMeter,
): readonly [number, number] | null {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonical(item, meter)
    const first = seen.get(text)
    if (first !== undefined) return [first, index]
    seen.set(text, index)
  }
  return null
}

/**
 * Returns the length of a string in Unicode code points. A surrogate pair counts as one code point.
 */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}
