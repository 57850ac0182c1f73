import { raise } from "../limits/condition-failed.js"
import { type Tuple, typeName, type Value } from "../values/values.js"

/**
 * A Python value as a key of a JavaScript Map. Two values have the same key if and only if they are
 * equal in Python. For example, 1, 1.0 and True have the same key.
 */
export type HashKey = null | string | number | bigint | object

/**
 * Converts a Python value to a key of a JavaScript Map. Raises TypeError for values that are not
 * hashable, such as lists, dicts and sets.
 */
export function hashKey(value: Value): HashKey {
  switch (typeof value) {
    case "string":
      // Keys of tuples start with \0. A string that starts with \0 gets another prefix.
      return value.charCodeAt(0) === 0 ? `\0${value}` : value
    case "boolean":
      return value ? 1 : 0
    case "bigint":
      return value
    case "number":
      return numberKey(value)
    case "object":
      if (value === null) return null
      switch (value.kind) {
        case "float":
          return Number.isNaN(value.value) ? value : value.value
        case "tuple":
          return tupleKey(value)
        case "dict_values":
        case "range":
        case "stream":
          return value
        case "list":
        case "dict":
        case "set":
        case "slice":
        case "dict_keys":
        case "dict_items":
          return raise("TypeError", `unhashable type: '${typeName(value)}'`)
      }
  }
}

/**
 * Converts a number to a Map key. A whole float that is not a safe integer becomes a bigint,
 * because it equals the int with the same value.
 */
function numberKey(value: number): number | bigint {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
}

/**
 * Converts a tuple to a Map key. The key contains the type of each item and the length of each
 * string, so that different tuples have different keys.
 */
function tupleKey(tuple: Tuple): string {
  let key = "\0("
  for (const item of tuple.items) {
    const part = hashKey(item)
    if (typeof part === "string") key += `s${part.length}:${part}`
    else if (typeof part === "number" || typeof part === "bigint") key += `n${String(part)};`
    else key += part === null ? "z" : `o${numberOf(part)};`
  }
  return `${key})`
}

const numbers = new WeakMap<object, number>()
let nextNumber = 0

/**
 * Returns a unique number for an object that equals only itself, such as a NaN object. The number
 * represents the object in the key of a tuple.
 */
function numberOf(value: object): number {
  const number = numbers.get(value) ?? nextNumber++
  numbers.set(value, number)
  return number
}
