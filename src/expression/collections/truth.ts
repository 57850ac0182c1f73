import type { Value } from "../values/values.js"

/** Returns whether Python treats a value as true. For example, `[]` and `0` are false. */
export function truthy(value: Value): boolean {
  switch (typeof value) {
    case "boolean":
      return value
    case "string":
      return value !== ""
    case "number":
      return value !== 0
    case "bigint":
      return value !== 0n
    case "object":
      if (value === null) return false
      switch (value.kind) {
        case "float":
          // For nan, this is true, as in Python.
          return value.value !== 0
        case "list":
        case "range":
          return value.length > 0
        case "tuple":
          return value.items.length > 0
        case "dict":
        case "set":
          return value.size() > 0
        case "dict_keys":
        case "dict_values":
        case "dict_items":
          return value.dict.size() > 0
        case "slice":
        case "stream":
          return true
      }
  }
}
