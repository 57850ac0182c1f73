import { fieldOf, report } from "../../diagnostics/config-location.js"
import type { Reader } from "./field-table.js"
import { filledText, list } from "./plain-values.js"

/** Parses a list of tool names that selects the allowed tools. An empty list is an error. */
export const toolNames: Reader<readonly string[]> = (value, location) => {
  const entries = list(value, location)
  if (entries?.length === 0) {
    return report(location, {
      code: "bad_value",
      problem: "is an empty list, which leaves no tools",
      fix: "List the tools that agents may use, or remove the field to allow all tools.",
    })
  }
  return (
    entries?.flatMap((entry, index) => filledText(entry, fieldOf(location, index)) ?? []) ?? null
  )
}
