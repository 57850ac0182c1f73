import type { JsonObject } from "../../../../machines/data/json-object.js"
import type { ParsedFunctionTool, ParsedToolset } from "../../config/agent-config.js"
import { functionTool, toolset } from "../../../agent-types/tools.js"
import { absentFields } from "../../fields/described-table.js"
import { identifier } from "../../fields/identifier.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { useService } from "../../context/service-uses.js"
import { toolOwner } from "../../workflow/tool-owner.js"

export type RegisteredTool = (ParsedFunctionTool | ParsedToolset) & { readonly id: string }

/**
 * Returns the config of a tool or toolset that is registered with the runner under `name`. Models
 * call the tool by `shownAs` in its service declaration. Without `shownAs`, they call it by the
 * last part of its dotted name. If the service creates the tool from arguments, `factory` contains
 * these arguments. If the service is the tool itself, `factory` is null.
 */
export function registeredTool(
  name: string,
  location: ParserLocation,
  factory: JsonObject | null,
): RegisteredTool {
  const { services } = location.parser
  const asToolset = services.find(name, "tool") === null ? services.find(name, "toolset") : null
  const known = asToolset ?? services.find(name, "tool")
  useService(name, asToolset === null ? "tool" : "toolset", location)
  const id = known?.shownAs ?? lastPart(name)
  identifier(id, location)
  if (asToolset === null)
    return {
      ...registeredFunction(name, location),
      factory,
      atAgent: factory !== null,
    }
  const type = "Toolset"
  return {
    ...absentFields(toolset.fields),
    type,
    id,
    service: name,
    requireConfirmation: known?.requireConfirmation ?? false,
    mcp: null,
    location: { ...location, field: "", owner: toolOwner(type, id, location) },
    fieldAt: () => location,
  }
}

/**
 * Returns the tool config of a function that is registered with the runner. The description, the
 * parameters and the confirmation setting come from the declaration of the function.
 */
export function registeredFunction(
  service: string,
  location: ParserLocation,
): ParsedFunctionTool & { readonly id: string } {
  const known = location.parser.services.find(service, "tool")
  const id = known?.shownAs ?? lastPart(service)
  return {
    ...absentFields(functionTool.fields),
    type: "FunctionTool",
    id,
    service,
    description: known?.description ?? null,
    parameters: known?.parameters ?? null,
    requireConfirmation: known?.requireConfirmation ?? false,
    longRunning: false,
    factory: null,
    atAgent: false,
    location: { ...location, field: "", owner: toolOwner("FunctionTool", id, location) },
    fieldAt: () => location,
  }
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1)
