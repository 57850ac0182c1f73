import type { JsonObject } from "../../../machines/contract.js"
import type { FunctionToolConfig, ToolsetConfig } from "../agent-config.js"
import { identifier } from "../fields/identifier.js"
import type { Place } from "../place.js"
import { report } from "../place.js"
import { useService } from "../services/service-uses.js"
import { toolOwner } from "../tool-fields.js"

export type RegisteredTool = (FunctionToolConfig | ToolsetConfig) & { readonly id: string }

/**
 * A tool that the runner has by this name. Models know it by the last part of the name, unless its service says otherwise.
 * `factory`: what the service is to make the tool from.
 */
export function registeredTool(
  name: string,
  at: Place,
  factory: JsonObject | null,
): RegisteredTool {
  const { services } = at.reading
  const toolset = services.find(name, "tool") === null ? services.find(name, "toolset") : null
  const known = toolset ?? services.find(name, "tool")
  useService(name, toolset === null ? "tool" : "toolset", at)
  const id = known?.shownAs ?? name.slice(name.lastIndexOf(".") + 1)
  identifier(id, at)
  if (id === "exit_loop")
    report(at, {
      code: "reserved_name",
      says: `names a tool "exit_loop", which is reserved for the tool that ends a loop`,
      cure: "Give it another name.",
    })
  const type = toolset === null ? "FunctionTool" : "Toolset"
  const common = {
    id,
    service: name,
    requireConfirmation: known?.requireConfirmation ?? false,
    at: { ...at, field: "", owner: toolOwner(type, id, at) },
    fieldAt: () => at,
  }
  if (type === "Toolset")
    return { type, ...common, toolFilter: null, prefix: null, expiresInMs: null, mcp: null }
  const { description = null, parameters = null } = known ?? {}
  return {
    type,
    ...common,
    description,
    parameters,
    expiresInMs: null,
    ...(factory !== null && { factory }),
  }
}
