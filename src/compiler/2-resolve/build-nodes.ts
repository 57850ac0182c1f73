import { joinHooks } from "../1-parse/adk/values/callbacks.js"
import type { AgentConfig, PluginConfig, SubAgentConfig } from "../1-parse/config/agent-config.js"
import { expiryIn } from "../1-parse/fields/expiry.js"
import type { AdkDefinition, Hooks } from "../../machines/contract/agent-definition.js"
import type { AgentNode, Position, ToolNode } from "./agent-node.js"
import type { AgentRegistry } from "./agent-registry.js"
import { functionOf, present, toolNode, toolsOf } from "./build-tools.js"

export interface BuiltNodes {
  readonly agents: ReadonlyMap<string, AgentNode>
  readonly tools: ReadonlyMap<string, ToolNode>
}

/** What an agent has from the agents above it (adk). */
export interface FromAncestors {
  readonly models: ReadonlyMap<AgentConfig, string>
  /** Of the root, for every agent. */
  readonly globalInstruction: string | null
  readonly globalInstructionService: string | undefined
  /** Of the workflow, for every LlmAgent. */
  readonly plugins: readonly PluginConfig[]
}

/** The default maximum of runs of one node in a graph (docs/semantics.md#workflow-graphs). */
const defaultIterations = 10

/**
 * Makes the nodes of a config without errors: every id is unique, every reference leads somewhere, nothing contains
 * itself and nothing is nested deeper than the limit, so recursion ends.
 */
export function buildNodes(
  registry: AgentRegistry,
  { models, globalInstruction, globalInstructionService, plugins }: FromAncestors,
): BuiltNodes {
  const made = new Map<AgentConfig, AgentNode>()

  function nodeOf(config: AgentConfig): AgentNode {
    const earlier = made.get(config)
    if (earlier !== undefined) return earlier
    const node = makeNode(config)
    made.set(config, node)
    return node
  }

  const child = (entry: SubAgentConfig): AgentNode =>
    nodeOf(entry.type === "inline" ? entry.agent : present(registry.agents.get(entry.to.id)))
  const position = (entry: SubAgentConfig): Position => ({
    agent: child(entry),
    when: entry.when,
    pointer: entry.at.pointer,
  })

  function underRoot({ globalInstructionService: _own, ...adk }: AdkDefinition): AdkDefinition {
    return {
      ...adk,
      globalInstruction,
      ...(globalInstructionService !== undefined && { globalInstructionService }),
    }
  }

  /** Callbacks of a container: it comes to two of the moments. */
  function around(own: Hooks = {}): { readonly hooks?: Hooks } {
    const hooks = joinHooks(
      [...plugins.map((plugin) => plugin.hooks), own].map(
        ({ beforeAgent = [], afterAgent = [] }) => ({ beforeAgent, afterAgent }),
      ),
    )
    return Object.keys(hooks).length === 0 ? {} : { hooks }
  }

  function makeNode(config: AgentConfig): AgentNode {
    const { description, at } = config
    const who = { id: present(config.id), description, pointer: at.pointer }
    switch (config.type) {
      case "LlmAgent": {
        const {
          type,
          endpoint,
          instructions,
          outputKey,
          activity,
          disallowTransferToParent,
          disallowTransferToPeers,
        } = config
        // An agent with a service of its own asks that one, whatever stands above it.
        const model = config.model ?? (endpoint === null ? models.get(config) : null) ?? null
        const tools = toolsOf(config.tools, registry)
        const subAgents = config.subAgents.map(child)
        const transfers = { disallowTransferToParent, disallowTransferToPeers }
        const adk = config.adk && withPlugins(underRoot(config.adk), plugins)
        return {
          type,
          ...who,
          model,
          endpoint,
          instructions,
          outputKey,
          tools,
          activity,
          ...expiryIn(config),
          ...(config.maxDurationMs !== undefined && { maxDurationMs: config.maxDurationMs }),
          ...(config.budget !== undefined && { budget: config.budget }),
          subAgents,
          ...transfers,
          adk,
        }
      }
      case "HumanAgent": {
        const { type, prompt, outputKey } = config
        return { type, ...who, prompt, outputKey, ...expiryIn(config) }
      }
      case "CustomAgent":
        return {
          type: config.type,
          ...who,
          service: config.service ?? who.id,
          ...(config.fields !== null && { fields: config.fields }),
          subAgents: config.subAgents.map(child),
          ...around(config.hooks),
        }
      case "SequentialAgent":
        return {
          type: config.type,
          ...who,
          subAgents: config.subAgents.map(position),
          outputKey: config.outputKey,
          ...around(config.hooks),
        }
      case "ParallelAgent": {
        const { type, failurePolicy, maxConcurrency } = config
        return {
          type,
          ...who,
          subAgents: config.subAgents.map(position),
          failurePolicy: failurePolicy ?? "fail-fast",
          maxConcurrency,
          ...around(config.hooks),
        }
      }
      case "LoopAgent": {
        const { type, maxIterations, exitCondition, outputKey } = config
        return {
          type,
          ...who,
          subAgents: config.subAgents.map(position),
          maxIterations,
          exitCondition,
          outputKey,
          ...around(config.hooks),
        }
      }
      case "Workflow": {
        const nodes = config.subAgents.map(child)
        const index = new Map(nodes.map((node, place) => [node.id, place]))
        const placeOf = (id: string): number => present(index.get(id))
        const edges = config.edges.map(({ from, to, route, otherwise }) => ({
          from: from === null ? -1 : placeOf(from.name.id),
          to: placeOf(to.name.id),
          route,
          otherwise,
        }))
        return {
          type: config.type,
          ...who,
          subAgents: nodes,
          edges,
          maxIterations: config.maxIterations ?? defaultIterations,
          ...around(config.hooks),
        }
      }
      case "FunctionNode":
      case "RouterNode":
        return { type: config.type, ...who, service: config.service ?? who.id }
      case "ToolNode":
        return { type: config.type, ...who, ...functionOf(config, registry) }
      case "JoinNode":
        return { type: config.type, ...who }
      case null:
        return present<AgentNode>(undefined)
    }
  }

  const agents = new Map([...registry.agents].map(([id, config]) => [id, nodeOf(config)]))
  const tools = new Map(
    [...registry.tools].map(([id, config]) => [id, toolNode(id, config, agents)]),
  )
  return { agents, tools }
}

/** Plugins are called before the agent's own callbacks, after the call as well as before it. */
function withPlugins(
  { hooks: own = {}, ...adk }: AdkDefinition,
  plugins: readonly PluginConfig[],
): AdkDefinition {
  const hooks = joinHooks([...plugins.map((plugin) => plugin.hooks), own])
  const policies = plugins.flatMap(({ policy }) => policy ?? [])
  return {
    ...adk,
    ...(Object.keys(hooks).length > 0 && { hooks }),
    ...(policies.length > 0 && { policies }),
  }
}
