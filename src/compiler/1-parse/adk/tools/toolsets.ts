import type { ParsedToolset } from "../../config/agent-config.js"
import { toolset } from "../../../agent-types/tools.js"
import { describedTable, readDescribed } from "../../fields/described-table.js"
import { sharedReaders } from "../../fields/value-readers.js"
import type { Reader } from "../../fields/field-table.js"
import { filledText, list } from "../../fields/plain-values.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"

/** Reads a toolset that is defined in `globalTools` or in the tools of an agent. */
export function toolsetConfig(
  object: Readonly<Record<string, unknown>>,
  at: ParserLocation,
): ParsedToolset {
  const { values, at: fieldAt } = readDescribed(object, table, at)
  return { ...values, type: "Toolset", mcp: null, at, fieldAt }
}

export const toolNames: Reader<readonly string[]> = (value, at) => {
  const entries = list(value, at)
  if (entries?.length === 0) {
    return report(at, {
      code: "bad_value",
      says: "is an empty list, which leaves no tools",
      fix: "List the tools that agents may use, or remove the field to allow all tools.",
    })
  }
  return entries?.flatMap((entry, index) => filledText(entry, fieldOf(at, index)) ?? []) ?? null
}

const table = describedTable(toolset, "adk", { ...sharedReaders, toolNames })
