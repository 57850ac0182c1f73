import type { ToolsetConfig } from "../../config/agent-config.js"
import { anything } from "../../fields/data.js"
import { expiryFields, expiryOf } from "../../fields/expiry.js"
import type { Reader } from "../../fields/field-table.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { identifier } from "../../fields/identifier.js"
import { filledText, flag, list } from "../../fields/plain-values.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"

/** Reads a toolset, in `globalTools` or right among the tools of an agent. */
export function toolsetConfig(
  object: Readonly<Record<string, unknown>>,
  at: ParserLocation,
): ToolsetConfig {
  const { values, at: fieldAt } = readFields(object, toolset, at)
  const { id, service, toolFilter, prefix, requireConfirmation } = values
  return {
    type: "Toolset",
    id,
    service,
    toolFilter,
    prefix,
    requireConfirmation: requireConfirmation ?? false,
    ...expiryOf(values),
    mcp: null,
    at,
    fieldAt,
  }
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

const toolset = fieldTable(
  "a Toolset",
  {
    type: optional(anything),
    id: required(identifier, 'Add an id, such as "id": "files".'),
    service: optional(filledText),
    toolFilter: optional(toolNames),
    prefix: optional(filledText),
    requireConfirmation: optional(flag),
    ...expiryFields,
  },
  {
    aliases: { name: "id", toolNamePrefix: "prefix" },
    synonyms: {
      tools: "toolFilter",
      filter: "toolFilter",
      confirm: "requireConfirmation",
      function: "service",
      code: "service",
    },
  },
)
