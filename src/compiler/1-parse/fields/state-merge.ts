import { systemKeys } from "../../../machines/data/system-keys.js"
import type { MergeRule } from "../../../machines/contract/agent-chart.js"
import { fieldOf } from "../../diagnostics/config-location.js"
import type { Reader } from "./field-table.js"
import { refuseReserved } from "./output-key.js"
import { objectOf, oneOf, refuseType } from "./plain-values.js"

const mergeRule = oneOf<MergeRule>(["replace", "append", "add", "max", "min", "union"])

/**
 * Parses the field `stateMerge`, which contains a merge rule for each state key. The rules merge
 * the values that parallel branches write.
 */
export const stateMerge: Reader<Readonly<Record<string, MergeRule>>> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", '{"some_key": "append"}')
  const read = Object.entries(object).map(([key, name]) => {
    const keyLocation = fieldOf(location, key)
    return [
      key,
      systemKeys.has(key) ? refuseReserved(key, keyLocation) : mergeRule(name, keyLocation),
    ] as const
  })
  return Object.fromEntries(read.filter((entry): entry is [string, MergeRule] => entry[1] !== null))
}
