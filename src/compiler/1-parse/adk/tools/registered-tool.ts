import type { JsonObject } from "../../../../machines/data/json-object.js"
import type { FunctionToolConfig, ToolsetConfig } from "../../config/agent-config.js"
import { identifier } from "../../fields/identifier.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { useService } from "../../context/service-uses.js"
import { toolOwner } from "../../workflow/tool-fields.js"

export type RegisteredTool = (FunctionToolConfig | ToolsetConfig) & { readonly id: string }

/**
 * A tool that the runner has by this name. Models know it by the last part of the name, unless its service says otherwise.
 * `factory`: what the service is to make the tool from.
 */
export function registeredTool(
  name: string,
  at: ParserLocation,
  factory: JsonObject | null,
): RegisteredTool {
  const { services } = at.parser
  const toolset = services.find(name, "tool") === null ? services.find(name, "toolset") : null
  const known = toolset ?? services.find(name, "tool")
  useService(name, toolset === null ? "tool" : "toolset", at)
  const id = known?.shownAs ?? lastPart(name)
  identifier(id, at)
  if (toolset === null)
    return {
      ...functionTool(name, at),
      ...(factory !== null && { factory, atAgent: true as const }),
    }
  const type = "Toolset"
  return {
    type,
    id,
    service: name,
    toolFilter: null,
    prefix: null,
    requireConfirmation: known?.requireConfirmation ?? false,
    expiresInMs: null,
    mcp: null,
    at: { ...at, field: "", owner: toolOwner(type, id, at) },
    fieldAt: () => at,
  }
}

/** A function of the runner as a tool, with all that the runner has declared about it. */
export function functionTool(
  service: string,
  at: ParserLocation,
): FunctionToolConfig & { readonly id: string } {
  const known = at.parser.services.find(service, "tool")
  const id = known?.shownAs ?? lastPart(service)
  return {
    type: "FunctionTool",
    id,
    service,
    description: known?.description ?? null,
    parameters: known?.parameters ?? null,
    requireConfirmation: known?.requireConfirmation ?? false,
    expiresInMs: null,
    at: { ...at, field: "", owner: toolOwner("FunctionTool", id, at) },
    fieldAt: () => at,
  }
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1)
