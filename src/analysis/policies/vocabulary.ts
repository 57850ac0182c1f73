import { guardrailServices } from "../../machines/contract/guardrails/guardrails.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartGraph } from "../../machines/contract/chart-graph.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"
import { serviceOfHook } from "../../machines/contract/hook-use.js"
import { endpointsOf, modelsOf } from "../../machines/model-call/agent-models.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import type { Atom } from "../../policies/atom.js"
import { matchesAny } from "../../policies/atom.js"
import type { OccurrenceKind } from "../../policies/occurrence.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import { listedTools } from "../behavior/listed-tools.js"
import type { FlowEndpointKind, PolicySet } from "../../policies/policy.js"

/** The names in a chart that the patterns of policies can match. */
export interface Vocabulary {
  readonly agents: ReadonlySet<string>
  readonly tools: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  readonly keys: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
  /** Whether an undeclared function or toolset may call any tool and write any key. */
  readonly isOpen: boolean
}

export function vocabularyOf(chart: AgentChart, set: PolicySet): Vocabulary {
  const agents = new Set(Object.keys(chart.agents))
  const tools = new Set<string>()
  const keys = new Set<string>([...systemKeys, ...Object.keys(chart.input.state)])
  const models = new Set<string>()
  const functions = new Set(Object.keys(chart.services ?? {}))
  let isOpen = false

  const visitGraph = ({ nodes }: ChartGraph): void => {
    for (const { id, tool, service, graph } of nodes) {
      agents.add(id)
      if (tool !== undefined) tools.add(tool)
      if (service !== undefined) functions.add(service)
      if (graph !== undefined) visitGraph(graph)
    }
  }
  const visit = ({ meta, invoke, states }: ChartState): void => {
    if (meta !== undefined) {
      agents.add(meta.agent)
      if (meta.outputKey !== undefined) keys.add(meta.outputKey)
    }
    const service = invoke?.input["service"]
    if (typeof service === "string") functions.add(service)
    const graph = invoke?.input["graph"]
    // The machine `workflowGraph` expects its input in this shape.
    if (graph !== undefined) visitGraph(graph as ChartGraph)
    for (const inner of Object.values(states ?? {})) visit(inner)
  }
  for (const { states } of Object.values(chart.machines))
    for (const state of Object.values(states)) visit(state)

  for (const definition of Object.values(chart.agents)) {
    if (definition.outputKey !== null) keys.add(definition.outputKey)
    if (definition.type !== "LlmAgent") continue
    for (const name of modelsOf(definition)) models.add(name)
    for (const { url } of endpointsOf(definition)) models.add(url)
    for (const name of definition.adk?.policies ?? []) functions.add(name)
    for (const name of guardrailServices(definition.guardrails)) functions.add(name)
    for (const uses of Object.values(definition.adk?.hooks ?? {}))
      for (const use of uses ?? []) functions.add(serviceOfHook(use))
  }
  for (const [id, tool] of Object.entries(chart.tools)) {
    if ("outputKey" in tool && tool.outputKey !== null) keys.add(tool.outputKey)
    if (tool.type === "FunctionTool") functions.add(tool.service)
    if (tool.type !== "Toolset") {
      tools.add(id)
      continue
    }
    const listed = listedTools(id, tool, set)
    if (listed === null) isOpen = true
    for (const name of listed ?? []) tools.add(name)
  }
  for (const name of functions) if (permissionsOf(set, name) === null) isOpen = true
  for (const { mayCall, mayWrite } of Object.values(set.functions)) {
    for (const name of mayCall) tools.add(name)
    for (const key of mayWrite) keys.add(key)
  }
  return { agents, tools, models, keys, functions, isOpen }
}

/**
 * Returns the names in a chart that can occur in a kind of event. For example, returns the names of
 * all tools for `call`. The patterns of a policy are matched against these names.
 */
export function namesFor(kind: OccurrenceKind, vocabulary: Vocabulary): Iterable<string> {
  switch (kind) {
    case "call":
    case "result":
    case "approval":
    case "rejection":
      return vocabulary.tools
    case "start":
    case "finish":
    case "answer":
    case "handoff":
      return vocabulary.agents
    case "model":
      return vocabulary.models
    case "write":
      return vocabulary.keys
    case "run":
      return ["started", "completed", "failed", "limit", "stopped"]
  }
}

/**
 * Returns the names in a chart that a source or sink of this kind can match, for example the names
 * of all agents for `text`. Returns null if any name is possible.
 */
export function endpointNamesFor(
  kind: FlowEndpointKind,
  vocabulary: Vocabulary,
): Iterable<string> | null {
  switch (kind) {
    case "result":
    case "arguments":
    case "request":
      return vocabulary.tools
    case "text":
    case "answer":
    case "instructions":
    case "input":
      return vocabulary.agents
    case "model":
      return vocabulary.models
    case "key":
    case "prompt":
    case "server":
      return null
  }
}

/**
 * Returns whether an event that the policy describes (an atom) can occur in the chart. Only
 * compares names.
 */
export function canMatch({ kind, names, by, inside }: Atom, vocabulary: Vocabulary): boolean {
  const isOpen = vocabulary.isOpen && ["call", "write"].includes(kind)
  const hasAgent = (patterns: readonly string[] | null): boolean =>
    patterns === null || [...vocabulary.agents].some((agent) => matchesAny(patterns, agent))
  const hasName = isOpen || [...namesFor(kind, vocabulary)].some((name) => matchesAny(names, name))
  return hasName && hasAgent(by) && hasAgent(inside)
}
