import type { ParsedToolset } from "../../config/agent-config.js"
import { toolset } from "../../../agent-types/tools.js"
import { describedTable, readDescribed } from "../../fields/described-table.js"
import { sharedReaders } from "../../fields/value-readers.js"
import type { ParserLocation } from "../../context/parser-context.js"

/**
 * Parses a toolset that is defined in `globalTools`, the workflow's list of tools, or in the tools
 * of an agent.
 */
export function toolsetConfig(
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
): ParsedToolset {
  const { values, locationOf: fieldAt } = readDescribed(object, table, location)
  return { ...values, type: "Toolset", mcp: null, location, fieldAt }
}

const table = describedTable(toolset, "adk", sharedReaders)
