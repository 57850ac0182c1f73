import { isJsonObject, isList } from "../../machines/data/json-object.js"
import type { JournalRecord } from "../../runtime/journal/journal.js"

/**
 * Returns whether a value from a journal file or database has the form of a journal record. A
 * record is the stored result of a call, or a stored external event such as an answer.
 */
export function isRecord(value: unknown): value is JournalRecord {
  if (!isList(value) || value.length !== 4) return false
  const [n, second, third, at] = value
  if (typeof n !== "number" || !Number.isInteger(n) || typeof at !== "number") return false
  return n === -1
    ? typeof second === "string" && isJsonObject(third)
    : n >= 0 && typeof second === "boolean"
}
