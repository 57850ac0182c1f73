import type { Hooks } from "../../machines/contract/agent-definition.js"
import { hookNames, hooksOf, joinHooks } from "../1-parse/adk/values/callbacks.js"
import type {
  AgentConfig,
  ParsedLlmAgent,
  ParsedValues,
  SubAgentConfig,
  ParsedWorkflowGraph,
} from "../1-parse/config/agent-config.js"
import type { PluginConfig } from "../1-parse/config/workflow-config.js"
import { defaultActivity } from "../1-parse/fields/activity-config.js"
import type {
  AgentNode,
  CopiedFields,
  LlmAgentNode,
  ParserField,
  Position,
  ReplacedLlmField,
  ResolvedTool,
  WorkflowGraphNode,
} from "./agent-node.js"
import type { AgentRegistry } from "./agent-registry.js"
import { adkDefinition } from "./build-llm-agent.js"
import { memoryServiceOf } from "./memory-tools.js"
import { functionOf, requireValue, toolNode, toolsOf } from "./build-tools.js"
import { remoteNode } from "./remote-node.js"

/** The resolved agents and tools of a workflow, by id. */
export interface BuiltNodes {
  readonly agents: ReadonlyMap<string, AgentNode>
  readonly tools: ReadonlyMap<string, ResolvedTool>
}

/**
 * The values that an agent inherits from its ancestors and from the workflow (adk dialect only).
 */
export interface Inherited {
  readonly models: ReadonlyMap<AgentConfig, string>
  /** The global instruction of the root agent. Null if there is none. */
  readonly globalInstruction: ParsedValues["instruction"] | null
  readonly plugins: readonly PluginConfig[]
}

/** Default maximum number of runs of each graph node (docs/semantics.md#workflow-graphs). */
const defaultIterations = 10

/**
 * Default maximum number of runs of each graph node if the graph has the setting
 * `triggering: "each"` (docs/semantics.md#one-run-for-each-trigger).
 */
const defaultTriggeredIterations = 500

/**
 * Converts the agents and tools of a config without errors to resolved agents and tools. Ids are
 * unique, and every reference has a target. The recursion always ends, because no agent contains
 * itself or is nested too deeply.
 */
export function buildNodes(registry: AgentRegistry, inherited: Inherited): BuiltNodes {
  const built = new Map<AgentConfig, AgentNode>()

  function nodeOf(config: AgentConfig): AgentNode {
    const earlier = built.get(config)
    if (earlier !== undefined) return earlier
    const node = buildNode(config)
    built.set(config, node)
    return node
  }

  const child = (entry: SubAgentConfig): AgentNode =>
    nodeOf(entry.type === "inline" ? entry.agent : requireValue(registry.agents.get(entry.to.id)))
  const children = (entries: readonly SubAgentConfig[] | null): readonly AgentNode[] =>
    (entries ?? []).map(child)
  const positions = (entries: readonly SubAgentConfig[] | null): readonly Position[] =>
    (entries ?? []).map((entry) => ({
      agent: child(entry),
      when: entry.when,
      pointer: entry.location.pointer,
    }))

  function buildNode(config: AgentConfig): AgentNode {
    const common = {
      id: requireValue(config.id),
      description: config.description,
      pointer: config.location.pointer,
    }
    switch (config.type) {
      case "LlmAgent":
        return {
          ...copiedFields(config, replacedLlmFields),
          ...common,
          ...llmFields(config, registry, inherited),
          subAgents: children(config.subAgents),
        }
      case "HumanAgent":
        return { ...copiedFields(config), ...common }
      case "WaitAgent":
        return { ...copiedFields(config), ...common }
      case "WorkflowAgent":
        return {
          ...copiedFields(config, ["target"]),
          ...common,
          target: requireValue(config.target),
          remote: null,
        }
      case "RemoteA2AAgent":
        return remoteNode(config, common)
      case "CustomAgent":
        return {
          type: config.type,
          ...common,
          service: config.service ?? common.id,
          fields: config.fields,
          subAgents: children(config.subAgents),
          hooks: callbacksAround(config, inherited.plugins),
        }
      case "MachineAgent":
        return {
          ...copiedFields(config, ["service"]),
          ...common,
          service: config.service ?? common.id,
          subAgents: children(config.subAgents),
          hooks: callbacksAround(config, inherited.plugins),
        }
      case "SequentialAgent":
        return {
          ...copiedFields(config),
          ...common,
          subAgents: positions(config.subAgents),
          hooks: callbacksAround(config, inherited.plugins),
        }
      case "ParallelAgent":
        return {
          ...copiedFields(config, ["outputKey"]),
          ...common,
          subAgents: positions(config.subAgents),
          hooks: callbacksAround(config, inherited.plugins),
        }
      case "LoopAgent":
        return {
          ...copiedFields(config),
          ...common,
          subAgents: positions(config.subAgents),
          hooks: callbacksAround(config, inherited.plugins),
        }
      case "Workflow":
        return {
          type: config.type,
          ...common,
          ...graphOf(config, children(config.subAgents)),
          hooks: callbacksAround(config, inherited.plugins),
        }
      case "FunctionNode":
      case "RouterNode":
        return { type: config.type, ...common, service: config.service ?? common.id }
      case "ToolNode":
        return { type: config.type, ...common, ...functionOf(config, registry) }
      case "JoinNode":
        return { type: config.type, ...common }
      case null:
        return requireValue<AgentNode>(undefined)
    }
  }

  const agents = new Map([...registry.agents].map(([id, config]) => [id, nodeOf(config)]))
  const tools = new Map(
    [...registry.tools].flatMap(([id, config]) =>
      // The operations of an OpenAPI toolset are separate entries of the registry.
      config.type === "OpenAPIToolset" || config.type === "PreloadMemoryTool"
        ? []
        : [[id, toolNode(id, config, agents)] as const],
    ),
  )
  return { agents, tools }
}

/**
 * Names of config fields that are not copied to the resolved agent. They are only needed by the
 * parser, or the resolved agent has them in another form.
 */
const parserFields = [
  "location",
  "fieldAt",
  "dialect",
  "agentClass",
  "when",
  "id",
  "description",
  "subAgents",
  ...hookNames,
] as const satisfies readonly ParserField[]

const replacedLlmFields = [
  "instruction",
  "staticInstruction",
  "globalInstruction",
  "includeContents",
  "outputSchema",
  "inputSchema",
  "structuredOutputWithTools",
  "generateContentConfig",
  "modelCode",
  "activity",
  "tools",
] as const satisfies readonly ReplacedLlmField[]

/**
 * Returns the config fields that are copied to the resolved agent without changes. `replaced`
 * contains additional fields to omit.
 */
function copiedFields<Config extends object, Replaced extends string = never>(
  config: Config,
  replaced: readonly Replaced[] = [],
): CopiedFields<Config, Replaced> {
  const dropped = new Set<string>([...parserFields, ...replaced])
  // The type `CopiedFields` omits the same fields as this filter.
  return Object.fromEntries(
    Object.entries(config).filter(([name]) => !dropped.has(name)),
  ) as CopiedFields<Config, Replaced>
}

/**
 * Returns the fields of a resolved LlmAgent that depend on more than its config, such as inherited
 * models, plugins and tools.
 */
function llmFields(
  config: ParsedLlmAgent,
  registry: AgentRegistry,
  { models, globalInstruction, plugins }: Inherited,
): Pick<LlmAgentNode, "model" | "activity" | "tools" | "memoryService" | "adk"> {
  const own = config.model ?? config.modelCode
  return {
    // An agent with its own endpoint does not inherit a model.
    model: own ?? (config.endpoint === null ? models.get(config) : null) ?? null,
    activity: config.activity ?? defaultActivity,
    tools: toolsOf(config.tools ?? [], registry),
    memoryService: memoryServiceOf(config, registry.tools),
    adk: config.dialect === "adk" ? adkDefinition(config, globalInstruction, plugins) : null,
  }
}

/** Returns the callbacks before and after the turn of an agent, or null if there are none. */
function callbacksAround(
  config: Pick<ParsedLlmAgent, "beforeAgent" | "afterAgent">,
  plugins: readonly PluginConfig[],
): Hooks | null {
  const hooks = joinHooks(
    [...plugins.map((plugin) => plugin.hooks), hooksOf(config)].map(
      ({ beforeAgent = [], afterAgent = [] }) => ({ beforeAgent, afterAgent }),
    ),
  )
  return Object.keys(hooks).length === 0 ? null : hooks
}

function graphOf(
  config: ParsedWorkflowGraph,
  nodes: readonly AgentNode[],
): Omit<WorkflowGraphNode, "type" | "id" | "description" | "pointer" | "hooks"> {
  const indexes = new Map(nodes.map((node, index) => [node.id, index]))
  const indexOf = (id: string): number => requireValue(indexes.get(id))
  const edges = config.edges.map(({ from, to, route, otherwise }) => ({
    from: from === null ? -1 : indexOf(from.name.id),
    to: indexOf(to.name.id),
    route,
    otherwise,
  }))
  const triggering = config.triggering ?? "joined"
  const iterations = triggering === "each" ? defaultTriggeredIterations : defaultIterations
  return {
    subAgents: nodes,
    edges,
    maxIterations: config.maxIterations ?? iterations,
    triggering,
    maxConcurrency: config.maxConcurrency,
    nodeOptions: config.nodeOptions ?? new Map(),
  }
}
