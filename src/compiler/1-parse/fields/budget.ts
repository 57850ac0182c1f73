import type { Budget } from "../../../machines/contract/budget.js"
import { report } from "../../diagnostics/config-location.js"
import type { Reader } from "./field-table.js"
import { duration } from "./duration.js"
import { fieldTable, optional } from "./field-table.js"
import { count, filledText, numberFrom, objectOf, refuseType } from "./plain-values.js"
import { readFields } from "./read-fields.js"

/** What a run or an agent may use, and what happens then. */
export const budget: Reader<Budget> = (value, at) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, at, "an object", '{"maxTokens": 100000}')
  const {
    onExceeded,
    maxDuration: maxDurationMs,
    ...read
  } = readFields(object, budgetFields, at).values
  const most = Object.fromEntries(
    Object.entries({ ...read, maxDurationMs }).filter(([, limit]) => limit !== null),
  ) as Omit<Budget, "onExceeded"> // Without what is not given.
  if (Object.keys(most).length === 0) {
    return report(at, {
      code: "bad_value",
      says: "has no limits",
      fix: 'Add at least one of "maxTokens", "maxInputTokens", "maxOutputTokens", "maxCost", "maxModelCalls" and "maxDuration".',
    })
  }
  return { ...most, onExceeded: onExceeded ?? "limit" }
}

const whatThen: Reader<Budget["onExceeded"]> = (value, at) => {
  if (value === "limit" || value === "ask") return value
  const object = objectOf(value)
  if (object === null)
    return refuseType(
      value,
      at,
      '"limit", "ask" or a final message',
      '"limit", "ask" or {"message": "I have to stop here."}',
    )
  const { message } = readFields(object, messageFields, at).values
  return message === null
    ? report(at, {
        code: "bad_value",
        says: "has no message",
        fix: 'Write {"message": "I have to stop here."}.',
      })
    : { message }
}

const messageFields = fieldTable(
  "a final message",
  { message: optional(filledText) },
  { synonyms: { text: "message" } },
)

const budgetFields = fieldTable(
  "a budget",
  {
    maxTokens: optional(count),
    maxInputTokens: optional(count),
    maxOutputTokens: optional(count),
    maxCost: optional(numberFrom(0)),
    maxModelCalls: optional(count),
    maxDuration: optional(duration),
    onExceeded: optional(whatThen),
  },
  {
    synonyms: {
      tokens: "maxTokens",
      cost: "maxCost",
      maxCalls: "maxModelCalls",
      calls: "maxModelCalls",
      exceeded: "onExceeded",
    },
  },
)
