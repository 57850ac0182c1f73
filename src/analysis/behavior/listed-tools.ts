import type { ToolsetDefinition } from "../../machines/contract/tool-definition.js"
import type { PolicySet } from "../../policies/policy.js"

/**
 * Returns the tools of a toolset, with the names that a model receives. Returns null if they are
 * unknown, because neither the filter of the toolset nor the policy file lists them.
 */
export function listedTools(
  id: string,
  toolset: ToolsetDefinition,
  { toolsets }: PolicySet,
): readonly string[] | null {
  const names = toolset.toolFilter ?? (Object.hasOwn(toolsets, id) ? toolsets[id] : undefined)
  return names?.map((name) => prefixed(name, toolset)) ?? null
}

/** Returns the name by which a model calls a tool of a toolset, including the toolset's prefix. */
export const prefixed = (name: string, { prefix }: ToolsetDefinition): string =>
  prefix === undefined ? name : `${prefix}_${name}`
