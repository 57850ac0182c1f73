import { compaction as description } from "../../agent-types/compaction.js"
import type { ParsedValues } from "../config/agent-config.js"
import { describedTable, readDescribed } from "./described-table.js"
import type { Reader } from "./field-table.js"
import { count, filledText, objectOf, refuseType } from "./plain-values.js"

/** Reads the limit for the conversation of an agent. */
export const compaction: Reader<ParsedValues["compaction"]> = (value, at) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, at, "an object", '{"maxTokens": 8000}')
  const { values } = readDescribed(object, table, at)
  return values.maxTokens === null ? null : values
}

const table = describedTable(description, "graph-compose", {
  count,
  filledText,
  model: filledText,
})
