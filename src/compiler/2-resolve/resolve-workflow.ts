import type { AgentConfig, ToolConfig } from "../1-parse/config/agent-config.js"
import type { WorkflowConfig } from "../1-parse/config/workflow-config.js"
import type { Dialect } from "../agent-types/dialects.js"
import type { ParserLocation } from "../1-parse/context/parser-context.js"
import { reportUnsupported } from "../1-parse/context/unsupported.js"
import type { WorkflowTree } from "./agent-node.js"
import { registerAgents } from "./agent-registry.js"
import { buildNodes } from "./build-nodes.js"
import { inheritModels } from "./inherit-models.js"
import { resolveReferences } from "./reference-graph.js"
import { refuseBrokenGraphs } from "./refuse-broken-graphs.js"
import { refuseCycles } from "./refuse-cycles.js"
import { refuseSecondParents } from "./refuse-second-parents.js"
import { refuseTooLarge } from "./refuse-too-large.js"
import type { SettingOptions } from "./settings.js"
import { resolveSettings } from "./settings.js"

/**
 * A resolved workflow, together with the parsed configs of its agents and tools. The configs
 * contain the locations of all fields, which messages need.
 */
export interface ResolvedWorkflow {
  readonly workflow: WorkflowTree
  readonly agents: ReadonlyMap<string, AgentConfig>
  readonly tools: ReadonlyMap<string, ToolConfig>
}

/**
 * Returns the schemas that the config refers to by name but that were not passed to the compiler.
 * Each entry contains the agent that refers to the schema.
 */
const unresolvedIn = ({ parser }: ParserLocation, root: string): WorkflowTree["unresolved"] =>
  parser.unresolved.map(({ name, location: { owner } }) => ({
    name,
    kind: "schema",
    usedBy: owner.kind === "agent" && owner.id !== null ? owner.id : root,
  }))

/**
 * Resolves the references in a config and returns its agents and tools. Returns null if the config
 * has an error, which is already reported.
 */
export function resolveWorkflow(
  config: WorkflowConfig,
  dialect: Dialect,
  options: SettingOptions,
  location: ParserLocation,
): ResolvedWorkflow | null {
  const registry = registerAgents(config, location)
  const graph = resolveReferences(config, registry)
  const order = refuseCycles(graph)
  if (order !== null) refuseTooLarge(graph, order)
  if (dialect === "adk") {
    refuseSecondParents(graph, registry)
    refuseBrokenGraphs(graph, registry)
  }
  const settings = resolveSettings(config, options, location)
  reportUnsupported(location.parser)
  if (graph.root?.id == null || order === null || location.parser.report.hasErrors()) return null
  const globalInstruction = graph.root.type === "LlmAgent" ? graph.root.globalInstruction : null
  const models =
    dialect === "adk"
      ? inheritModels(graph, order, config.defaultModel)
      : new Map<AgentConfig, string>()
  const { agents, tools } = buildNodes(registry, {
    models,
    globalInstruction,
    plugins: config.plugins,
  })
  const root = agents.get(graph.root.id)
  if (root === undefined) return null
  const plugins = new Set(config.plugins.flatMap(({ registered }) => registered ?? []))
  const { nodeId, prompt, state, context, description } = config
  const workflow: WorkflowTree = {
    id: nodeId ?? root.id,
    dialect,
    node: null,
    description: description ?? root.description,
    root,
    agents,
    tools,
    plugins,
    settings,
    input: { prompt, state },
    context,
    unresolved: unresolvedIn(location, root.id),
  }
  return { workflow, agents: registry.agents, tools: registry.tools }
}
