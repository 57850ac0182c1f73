import type {
  ParsedOpenApiToolset,
  ParsedToolNode,
  ToolConfig,
  ToolUse,
} from "../1-parse/config/agent-config.js"
import type { ParsedPreloadMemoryTool } from "../1-parse/config/parsed-tools.js"
import { exitLoop, builtInExitLoop } from "../../machines/model-call/built-in-tools.js"
import { defaultActivity } from "../1-parse/fields/activity-config.js"
import type { AgentNode, FunctionToolNode, ResolvedTool } from "./agent-node.js"
import type { AgentRegistry } from "./agent-registry.js"

/** Returns the host function that a ToolNode calls, with the settings of its tool. */
export function functionOf(
  { tool: named, code }: ParsedToolNode,
  { tools }: AgentRegistry,
): Omit<FunctionToolNode, "type" | "id" | "description" | "pointer"> {
  const found = code ?? tools.get(requireValue(named).id)
  const tool = requireValue(found?.type === "FunctionTool" ? found : null)
  const { service, parameters, requireConfirmation, expiresInMs, onExpiry } = tool
  const id = requireValue(tool.id)
  return {
    service: service ?? id,
    tool: id,
    parameters,
    requireConfirmation,
    expiresInMs,
    onExpiry,
  }
}

/**
 * Returns the ids of the tools that an agent can call. Tools that do not exist are omitted, and so
 * is `preload_memory`, which models do not call.
 */
export function toolsOf(
  uses: readonly ToolUse[],
  { tools, registered }: AgentRegistry,
): readonly string[] {
  const ids = new Set(
    uses.flatMap(({ name: { id: written } }) => {
      const id = registered.get(written) ?? written
      const tool = tools.get(id)
      return tool?.type === "OpenAPIToolset" ? tool.tools.flatMap((one) => one.id ?? []) : [id]
    }),
  )
  if (ids.has(exitLoop)) ids.delete(builtInExitLoop)
  return [...ids].filter((id) => tools.has(id) && tools.get(id)?.type !== "PreloadMemoryTool")
}

/** Builds the resolved form of a tool whose config has no errors. */
export function toolNode(
  id: string,
  {
    location,
    fieldAt: _location,
    ...config
  }: Exclude<ToolConfig, ParsedOpenApiToolset | ParsedPreloadMemoryTool>,
  agents: ReadonlyMap<string, AgentNode>,
): ResolvedTool {
  const { pointer } = location
  switch (config.type) {
    case "HttpTool":
      return {
        ...config,
        id,
        endpoint: requireValue(config.endpoint),
        activity: config.activity ?? defaultActivity,
        pointer,
      }
    case "AgentTool": {
      const { inline: _target, ...fields } = config
      return {
        ...fields,
        id,
        target: requireValue(agents.get(requireValue(fields.target).id)),
        activity: fields.activity ?? defaultActivity,
        pointer,
      }
    }
    case "FunctionTool": {
      const { atAgent: _location, ...fields } = config
      return { ...fields, id, service: fields.service ?? id, pointer }
    }
    case "Toolset":
      return { ...config, id, service: config.service ?? id, pointer }
    case "ExitLoopTool":
      return { type: config.type, id, pointer }
    case null:
      return requireValue<ResolvedTool>(undefined)
  }
}

/**
 * Returns the value without null and undefined in its type. Use it for values that every config
 * without errors has.
 *
 * @throws TypeError if the value is missing, because nodes are only built from configs without
 * errors
 */
export function requireValue<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined)
    throw new TypeError("the nodes of a config that has errors cannot be built")
  return value
}
