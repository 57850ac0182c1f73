import type { ParsedFunctionTool } from "../../config/agent-config.js"
import { expiryFields, expiryOf } from "../../fields/expiry.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import type { LocatedId } from "../../config/named.js"
import { identifier } from "../../fields/identifier.js"
import { filledText, flag, objectOf, refuseType } from "../../fields/plain-values.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { useService } from "../../context/service-uses.js"
import { registeredFunction } from "./registered-tool.js"

const classes = ["FunctionTool", "LongRunningFunctionTool"]

export const isFunctionToolClass = (name: string): boolean => classes.includes(name)

/**
 * Parses a function tool that an agent defines in its field `tools`, such as `{name:
 * LongRunningFunctionTool, args: {func: my.ask}}`. Returns null if the entry is invalid.
 */
export function functionToolHere(
  className: string,
  value: unknown,
  argsAt: ParserLocation,
  location: ParserLocation,
): { readonly name: LocatedId; readonly own: ParsedFunctionTool } | null {
  const args = objectOf(value ?? {})
  if (args === null) return refuseType(value, argsAt, "an object", '{"func": "module.function"}')
  const read = readFields(args, functionToolArgs, argsAt)
  const { func, requireConfirmation } = read.values
  if (func === null) return null
  const funcAt = read.locationOf("func")
  useService(func, "tool", funcAt)
  const tool = registeredFunction(func, funcAt)
  identifier(tool.id, funcAt)
  return {
    name: { id: tool.id, location },
    own: {
      ...tool,
      ...expiryOf(read.values),
      requireConfirmation: requireConfirmation ?? tool.requireConfirmation,
      longRunning: className === "LongRunningFunctionTool",
      atAgent: true,
    },
  }
}

const functionToolArgs = fieldTable(
  "the args of a FunctionTool",
  {
    func: required(
      filledText,
      "Write the name under which the function is registered with the runner.",
    ),
    requireConfirmation: optional(flag),
    ...expiryFields,
  },
  { aliases: { funcCode: "func" }, synonyms: { function: "func", code: "func", name: "func" } },
)
