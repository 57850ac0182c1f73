import { compaction as description } from "../../agent-types/compaction.js"
import { report } from "../../diagnostics/config-location.js"
import type { ParsedValues } from "../config/agent-config.js"
import { describedTable, readDescribed } from "./described-table.js"
import type { Reader } from "./field-table.js"
import { count, filledText, objectOf, refuseType } from "./plain-values.js"

/**
 * Parses the field `compaction`. Its settings shorten an agent's conversation by summarizing older
 * messages.
 */
export const compaction: Reader<ParsedValues["compaction"]> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", '{"maxTokens": 8000}')
  const { values, has } = readDescribed(object, table, location)
  if (!has("maxTokens") && !has("interval"))
    report(location, {
      code: "missing_field",
      problem: 'has no field "maxTokens" and no field "interval"',
      fix: 'Add the maximum number of tokens of a model call, such as "maxTokens": 8000, or a number of messages of the user, such as "interval": 10.',
    })
  return values.maxTokens === null && values.interval === null ? null : values
}

const table = describedTable(description, "graph-compose", {
  count,
  filledText,
  model: filledText,
})
