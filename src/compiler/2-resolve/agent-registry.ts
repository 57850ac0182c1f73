import type {
  AgentConfig,
  AgentToolConfig,
  FunctionToolConfig,
  ToolConfig,
  WorkflowConfig,
} from "../1-parse/agent-config.js"
import { registeredTools } from "./registered-tools.js"
import { childConfigs } from "../1-parse/agent-config.js"
import { elsewhere, report } from "../1-parse/place.js"

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

export function registerAgents(config: WorkflowConfig): AgentRegistry {
  const { agents, tools } = config
  const all: AgentConfig[] = []
  const parents = new Map<AgentConfig, AgentConfig>()
  const ownTools: ToolConfig[] = []
  const visit = (agent: AgentConfig) => {
    all.push(agent)
    for (const tool of agent.type === "LlmAgent" ? agent.ownTools : []) {
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
  const written = [...(tools ?? []), ...ownTools]
  const registered = registeredTools(config, all, new Set(written.map(({ id }) => id)))
  const ids = new Map([...registered].map(([name, { id }]) => [name, id]))
  return {
    all,
    parents,
    agents: byId(all, "agent"),
    tools: byId([...written, ...registered.values()], "tool"),
    registered: ids,
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
        says: `is a duplicate: ${first.at.owner.label}${elsewhere(first.at, config.at)} has this id already`,
        cure: `Give each ${kind} an id of its own: it is unique in the whole workflow${kind === "agent" ? ", agents inside of agents included" : ""}.`,
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
  (one.type === "FunctionTool" &&
    other.type === "FunctionTool" &&
    one.factory !== undefined &&
    areSameFactory(one, other))

/** Two tools that run the agent of one file in the same way. */
const areSameUse = (one: AgentToolConfig, other: AgentToolConfig): boolean =>
  other.inline === null &&
  one.inline !== null &&
  one.target?.id === other.target?.id &&
  one.skipSummarization === other.skipSummarization &&
  one.expiresInMs === other.expiresInMs &&
  one.onExpiry === other.onExpiry

const areSameFactory = (one: FunctionToolConfig, other: FunctionToolConfig): boolean =>
  one.service === other.service && JSON.stringify(one.factory) === JSON.stringify(other.factory)
