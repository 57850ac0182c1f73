import type { ModelService } from "../../machines/contract/services.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostService } from "../../runtime/host/host-service.js"
import type { DescribedAgent, ProgramBuilder } from "../description/program-builder.js"
import { describe } from "../description/program-builder.js"
import type { BaseTool } from "../tools/base-tool.js"
import { TreeProgramBuilder } from "./tree-program-builder.js"

/**
 * An agent tree, split into a config and the functions and models that the config refers to by
 * name.
 */
export interface AgentProgram {
  /**
   * The config in ADK's format, which `compile` accepts. It is the plain JSON of the root agent,
   * which contains its sub-agents.
   */
  readonly config: JsonObject
  /**
   * Functions by the names that the config contains, such as `writer.beforeModelCallback`. Pass
   * them as `services` to a runner. The names are derived from agent and tool names, so a resumed
   * run finds the same functions.
   */
  readonly services: Readonly<Record<string, HostService>>
  /**
   * Model services that agents received as objects instead of names. The keys are generated names.
   * Pass the services as `models` to a runner.
   */
  readonly models: Readonly<Record<string, ModelService>>
}

/** A plugin that can return its own config. `programOf` adds it to the config of the agents. */
export interface DescribedPlugin<Agent extends DescribedAgent> {
  [describe](program: ProgramBuilder<Agent, BaseTool>): JsonObject
}

/**
 * Splits an agent tree into data (the config) and code (services and models).
 *
 * @example
 * const { config, services, models } = programOf(rootAgent)
 * const { chart } = compile(config)
 * const run = createRunner({ services, models: { ...models, small } }).start(chart, { prompt: "Hello!" })
 * @throws AgentStatechartsError `definition_refused` if the agents cannot be described by one
 * config, for example because two tools have the same name.
 */
export function programOf<Agent extends DescribedAgent>(
  root: Agent,
  { plugins = [] }: { readonly plugins?: readonly DescribedPlugin<Agent>[] } = {},
): AgentProgram {
  const tree = new TreeProgramBuilder<Agent>()
  // Describe the plugins first, because the configs of graphs contain the names of plugin
  // callbacks.
  const pluginConfigs = plugins.map((plugin) => plugin[describe](tree))
  const agent = tree.agent(root)
  const described = [...pluginConfigs, ...tree.confirmations()]
  const config = {
    ...agent,
    ...(tree.globalTools.length > 0 && { globalTools: tree.globalTools }),
    ...(described.length > 0 && { plugins: described }),
  }
  return {
    config,
    services: Object.fromEntries(tree.services),
    models: Object.fromEntries(tree.models),
  }
}

/**
 * Returns the config, services and models of a graph that was created only to run a single node.
 * Removes the node options of the graph itself. Otherwise, plugins' node callbacks would also be
 * called for the graph.
 */
export function programAround<Agent extends DescribedAgent>(
  graph: Agent,
  plugins: readonly DescribedPlugin<Agent>[],
): AgentProgram {
  const program = programOf(graph, { plugins })
  const { nodeOptions, ...config } = program.config
  if (!isJsonObject(nodeOptions)) return program
  const { [graph.name]: _own, ...options } = nodeOptions
  return { ...program, config: { ...config, nodeOptions: options } }
}
