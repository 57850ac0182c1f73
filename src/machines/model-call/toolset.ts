import type { ToolDefinition, ToolsetDefinition } from "../contract/tool-definition.js"
import type { ToolDeclaration } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import { isJsonObject } from "../data/json-object.js"
import { transferTool } from "./built-in-tools.js"

/**
 * A tool that a toolset has listed in the current turn, with the declaration that the model
 * receives.
 */
export interface ListedTool {
  readonly declaration: ToolDeclaration
  /** Name of the tool in its toolset, without the toolset's prefix. */
  readonly tool: string
  readonly definition: Extract<ToolDefinition, { type: "FunctionTool" }>
}

/**
 * Input of a call of the host function that implements a toolset. The call lists the tools of the
 * toolset, or executes one of its tools.
 */
export type ToolsetInput =
  | { readonly verb: "list" }
  | { readonly verb: "call"; readonly tool: string; readonly arguments: JsonObject }

interface Offer {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

const noParameters: JsonObject = { type: "object", properties: {}, required: [] }

/**
 * Parses the list of tools that a toolset's service returned. Returns null if the value is not a
 * list of tools.
 */
export function readToolList(value: unknown): readonly Offer[] | null {
  if (!Array.isArray(value)) return null
  const offers = value.flatMap((entry: unknown): readonly Offer[] => {
    if (!isJsonObject(entry)) return []
    const { name, description, parameters = noParameters } = entry
    if (typeof name !== "string" || name === "" || !isJsonObject(parameters)) return []
    return [{ name, description: typeof description === "string" ? description : name, parameters }]
  })
  return offers.length === value.length ? offers : null
}

export interface SelectedTools {
  readonly tools: readonly ListedTool[]
  /**
   * Warnings about tools that agents cannot use, and about names in the toolset's filter that match
   * no tool.
   */
  readonly warnings: readonly string[]
}

/**
 * Returns the tools of a toolset that match its filter, and adds the toolset's prefix to their
 * names. Omits a tool if the agent already has a tool with the same name. `known` contains the
 * names of the agent's tools.
 */
export function selectTools(
  offers: readonly Offer[],
  id: string,
  definition: ToolsetDefinition,
  known: ReadonlySet<string>,
): SelectedTools {
  const {
    service,
    toolFilter,
    prefix,
    requireConfirmation,
    expiresInMs = null,
    onExpiry,
  } = definition
  const filter = toolFilter === undefined ? null : new Set(toolFilter)
  const offered = new Set(offers.map(({ name }) => name))
  const warnings = (toolFilter ?? [])
    .filter((name) => !offered.has(name))
    .map(
      (name) => `the toolset "${id}" does not have the tool "${name}", which its toolFilter lists`,
    )
  const taken = new Set(known)
  const tools: ListedTool[] = []
  for (const { name: tool, description, parameters } of offers) {
    if (filter !== null && !filter.has(tool)) continue
    const name = prefix === undefined ? tool : `${prefix}_${tool}`
    if (name === transferTool || taken.has(name)) {
      const why =
        name === transferTool
          ? "its name is reserved for handoffs"
          : "the agent already has a tool with this name"
      warnings.push(`the tool "${name}" of the toolset "${id}" is not available: ${why}`)
      continue
    }
    taken.add(name)
    tools.push({
      tool,
      declaration: { type: "function", function: { name, description, parameters } },
      definition: {
        type: "FunctionTool",
        service,
        outputKey: null,
        expiresInMs,
        ...(onExpiry !== undefined && { onExpiry }),
        ...(requireConfirmation === true && { requireConfirmation }),
      },
    })
  }
  return { tools, warnings }
}
