import type { ToolsetDefinition } from "../../machines/contract/tool-definition.js"
import type { PolicySet } from "../../policies/policy.js"

/**
 * Returns the names of the tools in a toolset, as a model receives them. Returns null if the names
 * are unknown, because neither the filter of the toolset nor the policy file lists them.
 */
export function listedTools(
  id: string,
  toolset: ToolsetDefinition,
  { toolsets }: PolicySet,
): readonly string[] | null {
  const names = toolset.toolFilter ?? (Object.hasOwn(toolsets, id) ? toolsets[id] : undefined)
  return names?.map((name) => prefixed(name, toolset)) ?? null
}

/**
 * Returns the name by which a model calls a tool of a toolset. If the toolset has a prefix, the
 * name is `<prefix>_<name>`.
 */
export const prefixed = (name: string, { prefix }: ToolsetDefinition): string =>
  prefix === undefined ? name : `${prefix}_${name}`
