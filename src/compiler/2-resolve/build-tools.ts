import type {
  AgentConfig,
  AgentToolConfig,
  HttpToolConfig,
  ToolConfig,
} from "../1-parse/config/agent-config.js"
import { builtInExitLoop, exitLoop } from "../../machines/model-call/built-in-tools.js"
import { expiryIn } from "../1-parse/fields/expiry.js"
import type { Named } from "../1-parse/config/agent-config.js"
import type { AgentNode, FunctionToolNode, ToolNode } from "./agent-node.js"
import type { AgentRegistry } from "./agent-registry.js"

/** The function that a ToolNode calls, and what its tool demands of each call. */
export function functionOf(
  { tool: named, code }: Extract<AgentConfig, { readonly type: "ToolNode" }>,
  { tools }: AgentRegistry,
): Omit<FunctionToolNode, "type" | "id" | "description" | "pointer"> {
  const found = code ?? tools.get(present(named).id)
  const tool = present(found?.type === "FunctionTool" ? found : null)
  const { service, parameters, requireConfirmation } = tool
  const id = present(tool.id)
  return {
    service: service ?? id,
    tool: id,
    parameters,
    requireConfirmation,
    ...expiryIn(tool),
  }
}

/** Ids of the tools of an agent. A tool that does not exist has been warned of, if it may be missing. */
export function toolsOf(
  names: readonly Named[],
  { tools, registered }: AgentRegistry,
): readonly string[] {
  const ids = new Set(names.map(({ id }) => registered.get(id) ?? id))
  if (ids.has(exitLoop)) ids.delete(builtInExitLoop)
  return [...ids].filter((id) => tools.has(id))
}

/** Makes the node of a tool whose config has no errors. */
export function toolNode(
  id: string,
  config: ToolConfig,
  agents: ReadonlyMap<string, AgentNode>,
): ToolNode {
  switch (config.type) {
    case "HttpTool":
      return httpTool(id, config)
    case "AgentTool":
      return agentTool(id, config, agents)
    case "FunctionTool": {
      const {
        type,
        service,
        description,
        parameters,
        requireConfirmation,
        longRunning,
        factory,
        at,
      } = config
      const waits = {
        ...(longRunning !== undefined && { longRunning }),
        ...(factory !== undefined && { factory }),
      }
      return {
        type,
        id,
        service: service ?? id,
        description,
        parameters,
        requireConfirmation,
        ...expiryIn(config),
        ...waits,
        pointer: at.pointer,
      }
    }
    case "Toolset": {
      const { type, service, toolFilter, prefix, requireConfirmation, mcp, at } = config
      return {
        type,
        id,
        service: service ?? id,
        toolFilter,
        prefix,
        requireConfirmation,
        ...expiryIn(config),
        mcp,
        pointer: at.pointer,
      }
    }
    case "ExitLoopTool":
      return { type: config.type, id, pointer: config.at.pointer }
    case null:
      return present<ToolNode>(undefined)
  }
}

const httpTool = (
  id: string,
  {
    type,
    description,
    parameters,
    endpoint,
    outputKey,
    requireConfirmation,
    activity,
    at,
    ...config
  }: HttpToolConfig,
): ToolNode => ({
  type,
  id,
  description,
  parameters,
  endpoint: present(endpoint),
  outputKey,
  ...expiryIn(config),
  requireConfirmation,
  activity,
  pointer: at.pointer,
})

const agentTool = (
  id: string,
  { type, target, skipSummarization, outputKey, activity, at, ...config }: AgentToolConfig,
  agents: ReadonlyMap<string, AgentNode>,
): ToolNode => ({
  type,
  id,
  target: present(agents.get(present(target).id)),
  skipSummarization,
  outputKey,
  ...expiryIn(config),
  activity,
  pointer: at.pointer,
})

/** What earlier steps have reported as an error when it is not there; then nodes are not built. */
export function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined)
    throw new TypeError("nodes were built from a config with errors")
  return value
}
