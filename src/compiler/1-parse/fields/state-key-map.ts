import { isJsonObject } from "../../../machines/data/json-object.js"
import { fieldOf } from "../../diagnostics/config-location.js"
import type { Reader } from "./field-table.js"
import { filledText, refuseType } from "./plain-values.js"

/**
 * Parses the input of a state machine or a child run. In the returned object, each key is an input
 * field and each value is the state key that provides its value.
 */
export const stateKeyMap: Reader<Readonly<Record<string, string>>> = (value, location) => {
  const entries = Array.isArray(value)
    ? value.map((key: unknown, index) => [key, key, fieldOf(location, index)] as const)
    : isJsonObject(value)
      ? Object.entries(value).map(([field, key]) => [field, key, fieldOf(location, field)] as const)
      : null
  if (entries === null)
    return refuseType(
      value,
      location,
      "a list or an object of state keys",
      '["cart"] or {"items": "cart"}',
    )
  return Object.fromEntries(
    entries.flatMap(([field, key, keyLocation]) => {
      const read = filledText(key, keyLocation)
      return read === null ? [] : [[String(field), read]]
    }),
  )
}
