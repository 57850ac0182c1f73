import {
  loadMemoryService,
  preloadMemoryService,
} from "../../machines/model-call/built-in-tools.js"
import type { AgentConfig, ParsedLlmAgent, ToolConfig } from "../1-parse/config/agent-config.js"
import type { LocatedId } from "../1-parse/config/named.js"
import type { ParserLocation } from "../1-parse/context/parser-context.js"
import { absentFields } from "../1-parse/fields/described-table.js"
import { toolOwner } from "../1-parse/workflow/tool-owner.js"
import { functionTool } from "../agent-types/tools.js"
import { fieldOf } from "../diagnostics/config-location.js"

/**
 * Names of the built-in tools for long-term memory. Agents of both dialects can list these tools by
 * name.
 */
const memoryTools: ReadonlySet<string> = new Set([loadMemoryService, preloadMemoryService])

/**
 * Returns the built-in memory tools that agents use, by name. A tool with the same name that the
 * config defines or that is registered with the runner takes precedence. `known` contains the ids
 * of the tools that the config defines.
 */
export function usedMemoryTools(
  agents: readonly AgentConfig[],
  known: ReadonlySet<string | null>,
  { parser }: ParserLocation,
): ReadonlyMap<string, ToolConfig> {
  const found = new Map<string, ToolConfig>()
  for (const agent of agents) {
    if (agent.type !== "LlmAgent") continue
    for (const { name, own } of agent.tools ?? []) {
      const { id } = name
      if (own !== null || !memoryTools.has(id) || known.has(id) || found.has(id)) continue
      if (parser.services.kindsOf(id).length === 0) found.set(id, memoryTool(name, parser))
    }
  }
  return found
}

function memoryTool({ id, location }: LocatedId, parser: ParserLocation["parser"]): ToolConfig {
  const type = id === loadMemoryService ? "FunctionTool" : "PreloadMemoryTool"
  const own: ParserLocation = {
    ...location,
    parser,
    field: "",
    owner: toolOwner(type, id, { ...location, parser }),
  }
  const base = { id, location: own, fieldAt: (field: string) => fieldOf(own, field) }
  if (type === "PreloadMemoryTool") return { type, ...base }
  return {
    ...absentFields(functionTool.fields),
    type,
    ...base,
    service: id,
    description: "Searches the messages of earlier conversations with the user.",
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "The words to search for." } },
      required: ["query"],
    },
    requireConfirmation: false,
    longRunning: false,
    factory: null,
    atAgent: true,
  }
}

/**
 * Returns the name of the service that loads memories before each turn of an agent. Returns null if
 * the agent does not use the tool `preload_memory`.
 */
export const memoryServiceOf = (
  { tools }: ParsedLlmAgent,
  known: ReadonlyMap<string, ToolConfig>,
): string | null =>
  (tools ?? []).some(({ name }) => known.get(name.id)?.type === "PreloadMemoryTool")
    ? preloadMemoryService
    : null
