import { raise } from "../limits/condition-failed.js"
import { type Dict, type List, type Tuple, type Value, typeName } from "./values.js"

/**
 * Converts a Python value to JSON. Tuples become lists. Values of the session state are returned
 * unchanged, so the cost does not depend on their size.
 *
 * @throws ConditionFailed with a TypeError if JSON cannot represent a value. The message contains
 * the type and the position of the value.
 */
export function jsonValue(value: Value): unknown {
  return convert(value, "", new Map())
}

/**
 * Converts a Python value to JSON recursively. `known` caches the results for containers, because a
 * value can contain the same container many times.
 */
function convert(value: Value, position: string, known: Map<Value, unknown>): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value
  if (typeof value === "number") return Number.isFinite(value) ? value : refuse(value, position)
  if (typeof value === "bigint") return refuse(value, position)
  const earlier = known.get(value)
  if (earlier !== undefined) return earlier
  const converted = convertObject(value, position, known)
  known.set(value, converted)
  return converted
}

function convertObject(
  value: Exclude<Value, null | boolean | string | number | bigint>,
  position: string,
  known: Map<Value, unknown>,
): unknown {
  switch (value.kind) {
    case "float":
      // JSON has no -0. Adding 0 converts -0 to 0.
      return Number.isFinite(value.value) ? value.value + 0 : refuse(value, position)
    case "list":
    case "tuple":
      return convertList(value, position, known)
    case "dict":
      return value.host ?? convertDict(value, position, known)
    default:
      return refuse(value, position)
  }
}

function convertList(
  value: List | Tuple,
  position: string,
  known: Map<Value, unknown>,
): readonly unknown[] {
  if (value.kind === "tuple")
    return value.items.map((item, index) => convert(item, `${position}[${index}]`, known))
  return (
    value.host ??
    value.toArray().map((item, index) => convert(item, `${position}[${index}]`, known))
  )
}

function convertDict(value: Dict, position: string, known: Map<Value, unknown>): unknown {
  const entries = new Map<string, unknown>()
  for (const key of value.keys()) {
    if (typeof key !== "string")
      raise("TypeError", `a key of the dict${atPath(position)} is not a str but ${typeName(key)}`)
    const item = value.get(key)
    if (item !== undefined)
      entries.set(key, convert(item, `${position}[${JSON.stringify(key)}]`, known))
  }
  return Object.fromEntries(entries)
}

const atPath = (position: string): string => (position === "" ? "" : ` at ${position}`)

const refuse = (value: Value, position: string): never =>
  raise("TypeError", `the value${atPath(position)} of type ${typeName(value)} is not a JSON value`)
