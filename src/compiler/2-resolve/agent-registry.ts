import type {
  AgentConfig,
  ParsedAgentTool,
  ParsedFunctionTool,
  ToolConfig,
} from "../1-parse/config/agent-config.js"
import type { WorkflowConfig } from "../1-parse/config/workflow-config.js"
import { builtInExitLoop, exitLoop } from "../../machines/model-call/built-in-tools.js"
import { registeredTools } from "./registered-tools.js"
import type { ParserLocation } from "../1-parse/context/parser-context.js"
import { childConfigs } from "../1-parse/config/agent-config.js"
import { elsewhere, report } from "../diagnostics/config-location.js"

/** Who answers to which id. Agents and tools are two name spaces; agents share one over the whole tree. */
export interface AgentRegistry {
  /** Every agent, parents before the agents inside of them; those with a bad or a duplicate id included. */
  readonly all: readonly AgentConfig[]
  readonly agents: ReadonlyMap<string, AgentConfig>
  /** Those of the workflow's list, those that stand at the agents that have them, and those that the runner has. */
  readonly tools: ReadonlyMap<string, ToolConfig>
  /** What agents call a tool that the runner has -> its id. */
  readonly registered: ReadonlyMap<string, string>
  /** The agent that an inline agent is a sub-agent of. */
  readonly parents: ReadonlyMap<AgentConfig, AgentConfig>
}

export function registerAgents(config: WorkflowConfig, at: ParserLocation): AgentRegistry {
  const { agents } = config
  const all: AgentConfig[] = []
  const parents = new Map<AgentConfig, AgentConfig>()
  const ownTools: ToolConfig[] = []
  const seen = new Set<AgentConfig>()
  const visit = (agent: AgentConfig) => {
    // The agent of one file may be the target of a tool and a sub-agent.
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
  const written = [...(config.tools ?? []), ...ownTools]
  const registered = registeredTools(config, all, new Set(written.map(({ id }) => id)), at)
  const tools = byId([...written, ...registered.values()], "tool")
  return {
    all,
    parents,
    agents: byId(all, "agent"),
    ...withExitLoop(tools, new Map([...registered].map(([name, { id }]) => [name, id]))),
  }
}

/**
 * A tool of the user's called `exit_loop` is an ordinary tool, and the agents that list it by its name have it instead of the
 * built-in one. Then the built-in one has another id.
 */
function withExitLoop(
  tools: ReadonlyMap<string, ToolConfig>,
  registered: ReadonlyMap<string, string>,
): Pick<AgentRegistry, "tools" | "registered"> {
  const builtIn = tools.get(builtInExitLoop)
  if (builtIn === undefined) return { tools, registered }
  const own = tools.get(exitLoop)
  const id = own === undefined ? exitLoop : builtInExitLoop
  // A dotted name of the user's that ends in `exit_loop` replaces nothing for agents that list the bare name.
  const isDotted = [...registered].some(([name, of]) => of === exitLoop && name !== exitLoop)
  const bare = own === undefined || isDotted ? [[exitLoop, id] as const] : []
  return {
    tools: new Map([...tools].map(([key, tool]) => [tool === builtIn ? id : key, tool] as const)),
    registered: new Map([...registered, [builtInExitLoop, id], ...bare]),
  }
}

/** The first of several keeps the id. */
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
        says: `is a duplicate: ${first.at.owner.label}${elsewhere(first.at, config.at)} already has this id`,
        fix: `Change one of the two ids: the id of each ${kind} must be unique in the whole workflow${kind === "agent" ? ", including nested agents" : ""}.`,
      })
    }
  }
  return found
}

/** A built-in tool at several agents; and two tools with agents of one name, of whom it is said already. */
const areOne = (one: AgentConfig | ToolConfig, other: AgentConfig | ToolConfig): boolean =>
  (one.type === "ExitLoopTool" && other.type === "ExitLoopTool") ||
  (one.type === "AgentTool" &&
    other.type === "AgentTool" &&
    ((one.inline !== null && other.inline !== null) || areSameUse(one, other))) ||
  (one.type === "FunctionTool" && other.type === "FunctionTool" && areSameFunction(one, other))

/** Two tools that run the agent of one file in the same way. */
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
