import type { Budget } from "../../../machines/contract/budget.js"
import { withoutNulls } from "../../../machines/data/without-nulls.js"
import { budget as description } from "../../agent-types/call-settings.js"
import { report } from "../../diagnostics/config-location.js"
import { describedTable, readDescribed } from "./described-table.js"
import type { Reader } from "./field-table.js"
import { duration } from "./duration.js"
import { fieldTable, optional } from "./field-table.js"
import { count, filledText, numberFrom, objectOf, refuseType } from "./plain-values.js"
import { readFields } from "./read-fields.js"

/**
 * Parses the budget of a run or an agent: its limits, and the effect when one of the limits is
 * exceeded.
 */
export const budget: Reader<Budget> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", '{"maxTokens": 100000}')
  // The fingerprint of a chart depends on the field order. The fields as written come first, then
  // the duration.
  const { onExceeded, maxDurationMs, ...others } = readDescribed(object, table, location).values
  const limits = withoutNulls({ ...others, maxDurationMs })
  if (Object.keys(limits).length === 0) {
    return report(location, {
      code: "bad_value",
      problem: "has no limits",
      fix: 'Add at least one of "maxTokens", "maxInputTokens", "maxOutputTokens", "maxCost", "maxModelCalls" and "maxDuration".',
    })
  }
  return { ...limits, onExceeded: onExceeded ?? "limit" }
}

const onExceeded: Reader<Budget["onExceeded"]> = (value, location) => {
  if (value === "limit" || value === "ask") return value
  const object = objectOf(value)
  if (object === null)
    return refuseType(
      value,
      location,
      '"limit", "ask" or a final message',
      '"limit", "ask" or {"message": "I have to stop here."}',
    )
  const { message } = readFields(object, messageFields, location).values
  return message === null
    ? report(location, {
        code: "bad_value",
        problem: "has no message",
        fix: 'Write {"message": "I have to stop here."}.',
      })
    : { message }
}

const messageFields = fieldTable(
  "a final message",
  { message: optional(filledText) },
  { synonyms: { text: "message" } },
)

const table = describedTable(description, "graph-compose", {
  count,
  amount: numberFrom(0),
  duration,
  onExceeded,
})
