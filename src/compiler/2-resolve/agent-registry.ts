import type {
  AgentConfig,
  ParsedAgentTool,
  ParsedFunctionTool,
  ParsedHttpTool,
  ToolConfig,
} from "../1-parse/config/agent-config.js"
import type { WorkflowConfig } from "../1-parse/config/workflow-config.js"
import { builtInExitLoop, exitLoop } from "../../machines/model-call/built-in-tools.js"
import { usedMemoryTools } from "./memory-tools.js"
import { registeredTools } from "./registered-tools.js"
import type { ParserLocation } from "../1-parse/context/parser-context.js"
import { childConfigs } from "../1-parse/config/child-configs.js"
import { elsewhere, report } from "../diagnostics/config-location.js"

/**
 * All agents and tools of a workflow, by id. An agent and a tool may have the same id. The ids of
 * agents must be unique, including nested agents.
 */
export interface AgentRegistry {
  /**
   * Every agent of the workflow, including agents with an invalid or duplicate id. Parents come
   * before their nested agents.
   */
  readonly all: readonly AgentConfig[]
  readonly agents: ReadonlyMap<string, AgentConfig>
  /**
   * All tools by id. They include tools in the workflow's list, tools that agents define, memory
   * tools, and tools that are registered with the runner.
   */
  readonly tools: ReadonlyMap<string, ToolConfig>
  /** Maps each name by which agents refer to a registered tool to the id of the tool. */
  readonly registered: ReadonlyMap<string, string>
  /** Maps each nested agent to the agent that contains it. */
  readonly parents: ReadonlyMap<AgentConfig, AgentConfig>
}

export function registerAgents(config: WorkflowConfig, location: ParserLocation): AgentRegistry {
  const { agents } = config
  const all: AgentConfig[] = []
  const parents = new Map<AgentConfig, AgentConfig>()
  const ownTools: ToolConfig[] = []
  const seen = new Set<AgentConfig>()
  const visit = (agent: AgentConfig) => {
    // The agent in a referenced file may be both a sub-agent and the target of a tool.
    if (seen.has(agent)) return
    seen.add(agent)
    all.push(agent)
    for (const { own: tool } of (agent.type === "LlmAgent" ? agent.tools : null) ?? []) {
      if (tool === null) continue
      ownTools.push(tool)
      if (tool.type === "AgentTool" && tool.inline !== null) visit(tool.inline)
    }
    for (const child of childConfigs(agent)) {
      if (child.type !== "inline") continue
      parents.set(child.agent, agent)
      visit(child.agent)
    }
  }
  agents?.forEach(visit)
  const written = [...(config.tools ?? []), ...ownTools].flatMap((tool): readonly ToolConfig[] =>
    tool.type === "OpenAPIToolset" ? [tool, ...tool.tools] : [tool],
  )
  const known = new Set(written.map(({ id }) => id))
  const memory = usedMemoryTools(all, known, location)
  const registered = registeredTools(config, all, new Set([...known, ...memory.keys()]), location)
  const tools = byId([...written, ...memory.values(), ...registered.values()], "tool")
  return {
    all,
    parents,
    agents: byId(all, "agent"),
    ...withExitLoop(tools, new Map([...registered].map(([name, { id }]) => [name, id]))),
  }
}

/**
 * Returns the tools with the final id of ADK's built-in tool `exit_loop`. If the user also has a
 * tool with this name, the user's tool keeps the name. The built-in tool then gets another id.
 */
function withExitLoop(
  tools: ReadonlyMap<string, ToolConfig>,
  registered: ReadonlyMap<string, string>,
): Pick<AgentRegistry, "tools" | "registered"> {
  const builtIn = tools.get(builtInExitLoop)
  if (builtIn === undefined) return { tools, registered }
  const own = tools.get(exitLoop)
  const id = own === undefined ? exitLoop : builtInExitLoop
  // If the user's tool has a dotted name that ends in `exit_loop`, agents that list the name
  // `exit_loop` get the built-in tool.
  const isDotted = [...registered].some(([name, of]) => of === exitLoop && name !== exitLoop)
  const bare = own === undefined || isDotted ? [[exitLoop, id] as const] : []
  return {
    tools: new Map([...tools].map(([key, tool]) => [tool === builtIn ? id : key, tool] as const)),
    registered: new Map([...registered, [builtInExitLoop, id], ...bare]),
  }
}

/**
 * Returns the agents or tools by id. Reports an error for each duplicate id. The first agent or
 * tool with an id keeps it.
 */
function byId<Config extends AgentConfig | ToolConfig>(
  configs: readonly Config[],
  kind: "agent" | "tool",
): ReadonlyMap<string, Config> {
  const found = new Map<string, Config>()
  for (const config of configs) {
    if (config.id === null) continue
    const first = found.get(config.id)
    if (first === undefined) found.set(config.id, config)
    else if (!areOne(first, config)) {
      report(config.fieldAt("id"), {
        code: "duplicate_id",
        problem: `is a duplicate: ${first.location.owner.label}${elsewhere(first.location, config.location)} already has this id`,
        fix: isOperation(config)
          ? 'Set a different "prefix" for one of the two toolsets, because the id of each tool must be unique in the whole workflow.'
          : `Change one of the two ids, because the id of each ${kind} must be unique in the whole workflow${kind === "agent" ? ", including nested agents" : ""}.`,
      })
    }
  }
  return found
}

/**
 * Returns whether two agents or tools may have the same id. Several agents may use the same tool.
 * The result is also true for AgentTools whose target agents are already reported as duplicates.
 */
const areOne = (one: AgentConfig | ToolConfig, other: AgentConfig | ToolConfig): boolean =>
  (one.type === "ExitLoopTool" && other.type === "ExitLoopTool") ||
  (one.type === "AgentTool" &&
    other.type === "AgentTool" &&
    ((one.inline !== null && other.inline !== null) || areSameUse(one, other))) ||
  (one.type === "HttpTool" && other.type === "HttpTool" && areSameOperation(one, other)) ||
  (one.type === "FunctionTool" && other.type === "FunctionTool" && areSameFunction(one, other))

/** Returns whether a config is a tool for an operation of an OpenAPI document. */
const isOperation = (config: AgentConfig | ToolConfig): boolean =>
  config.type === "HttpTool" && config.endpoint?.operation !== undefined

/**
 * Returns whether two tools are the same OpenAPI operation with the same settings. Several agents
 * can define a toolset for the same document.
 */
const areSameOperation = (one: ParsedHttpTool, other: ParsedHttpTool): boolean =>
  isOperation(one) && JSON.stringify(settingsOf(one)) === JSON.stringify(settingsOf(other))

const settingsOf = ({ location: _location, ...settings }: ParsedHttpTool): unknown => settings

/** Returns whether two AgentTools run the agent of the same file with the same options. */
const areSameUse = (one: ParsedAgentTool, other: ParsedAgentTool): boolean =>
  other.inline === null &&
  one.inline !== null &&
  one.target?.id === other.target?.id &&
  one.skipSummarization === other.skipSummarization &&
  one.expiresInMs === other.expiresInMs &&
  one.onExpiry === other.onExpiry

const areSameFunction = (one: ParsedFunctionTool, other: ParsedFunctionTool): boolean =>
  one.atAgent &&
  other.atAgent &&
  one.service === other.service &&
  one.longRunning === other.longRunning &&
  one.requireConfirmation === other.requireConfirmation &&
  one.expiresInMs === other.expiresInMs &&
  one.onExpiry === other.onExpiry &&
  JSON.stringify(one.factory) === JSON.stringify(other.factory)
