import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { NamePattern } from "../atom.js"
import { matchesAny } from "../atom.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import { ownerOf } from "../../machines/model-call/helper-agents.js"
import { policyModelNamesOf } from "../../machines/model-call/agent-models.js"
import type { ChartState, ForEach } from "../../machines/contract/chart-machine.js"

/** Names that the policy monitor reads from the states of a chart, for example names of agents. */
interface StateNames {
  /** The name of the tool that a ToolNode calls, by node id. */
  readonly nodeTools: ReadonlyMap<string, string>
  /**
   * The name of the host function that a graph node or a custom agent runs, by node id or agent
   * name.
   */
  readonly agentServices: ReadonlyMap<string, string>
  /**
   * The session state key for the output of a container, by agent name. Containers without an
   * output key are missing.
   */
  readonly containerKeys: ReadonlyMap<string, string>
  /**
   * The `forEach` settings of a parallel block, by agent name. Blocks without `forEach` are
   * missing.
   */
  readonly forEach: ReadonlyMap<string, ForEach>
  /**
   * The agents that have a number in the paths of their sub-agents, for example an iteration
   * number. In the path `rounds[2]/writer`, this is the agent `rounds` with the number 2.
   */
  readonly numbered: ReadonlySet<string>
  /** Names of all agents and graph nodes in the states, including containers. */
  readonly agents: ReadonlySet<string>
}

/**
 * Looks up names that the events of a run do not contain, such as the model of an agent. Includes
 * the workflows that are nested in the chart. The states of the chart are visited only when a
 * policy needs their names.
 */
export class ChartNames {
  readonly #chart: AgentChart
  #states: StateNames | null = null

  constructor(chart: AgentChart) {
    this.#chart = chart
  }

  /**
   * Returns the name of the called model. This is the model in the event, if there is one, or the
   * agent's own model. For an agent with an endpoint, it is the URL of the endpoint. Returns "" for
   * agents without a model.
   */
  modelOf({ agent, model }: { readonly agent: string; readonly model?: string }): string {
    if (model !== undefined) return model
    const definition = this.#definitionOf(agent, this.#chart)
    if (definition?.type !== "LlmAgent") return ""
    return policyModelNamesOf(definition)[0] ?? ""
  }

  /**
   * Returns the agent to which a helper agent belongs. A helper summarizes the conversation of this
   * agent or checks its texts. Returns undefined if `agent` is not a helper.
   */
  ownerOf(agent: string): string | undefined {
    return ownerOf(this.#definitionOf(agent, this.#chart))
  }

  /**
   * Returns the name of the host function that implements a tool, or undefined if no function does.
   */
  serviceOfTool(tool: string): string | undefined {
    const { tools } = this.#chart
    const definition = Object.hasOwn(tools, tool) ? tools[tool] : undefined
    return definition?.type === "FunctionTool" ? definition.service : undefined
  }

  /**
   * Returns the session state key in which an agent or a container stores its text, or undefined if
   * it has no such key.
   */
  outputKeyOf(agent: string): string | undefined {
    const own = this.#definitionOf(agent, this.#chart)?.outputKey ?? undefined
    return own ?? this.ofStates.containerKeys.get(agent)
  }

  /** Returns whether a run of the chart can contain an agent whose name matches the pattern. */
  mayRun(names: NamePattern): boolean {
    const agents = this.#charts().flatMap((chart) => Object.keys(chart.agents))
    return (
      this.#runsOthers() ||
      [...agents, ...this.ofStates.agents].some((name) => matchesAny(names, name))
    )
  }

  /** Returns whether a run of the chart can call a tool whose name matches the pattern. */
  mayCall(names: NamePattern): boolean {
    const tools = this.#charts().flatMap((chart) => Object.entries(chart.tools))
    return (
      this.#runsOthers() ||
      tools.some(([name, { type }]) => type === "Toolset" || matchesAny(names, name)) ||
      [...this.ofStates.nodeTools.values()].some((name) => matchesAny(names, name))
    )
  }

  /**
   * Returns whether the chart has host functions or calls other workflows. If so, a run can contain
   * names that are not in the chart.
   */
  #runsOthers(): boolean {
    return this.#charts().some(
      ({ agents, services = {} }) =>
        Object.keys(services).length > 0 ||
        Object.values(agents).some(({ type }) => type === "WorkflowAgent"),
    )
  }

  /** Returns the chart and all charts that are nested in it. */
  #charts(chart = this.#chart): readonly AgentChart[] {
    return [chart, ...Object.values(chart.charts ?? {}).flatMap((inner) => this.#charts(inner))]
  }

  get ofStates(): StateNames {
    return (this.#states ??= stateNames(this.#chart))
  }

  #definitionOf(agent: string, { agents, charts }: AgentChart): AgentDefinition | undefined {
    if (Object.hasOwn(agents, agent)) return agents[agent]
    for (const inner of Object.values(charts ?? {})) {
      const found = this.#definitionOf(agent, inner)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/**
 * The kinds of agents whose sub-agents can run several times, so that their paths contain a number.
 */
const numberedKinds: readonly string[] = ["LoopAgent", "CustomAgent", "MachineAgent"]

function stateNames(chart: AgentChart): StateNames {
  const nodeTools = new Map<string, string>()
  const agentServices = new Map<string, string>()
  const containerKeys = new Map<string, string>()
  const forEach = new Map<string, ForEach>()
  const numbered = new Set<string>()
  const agents = new Set<string>()

  const visitNode = ({ id, kind, tool, service, graph, worker }: ChartGraphNode): void => {
    agents.add(id)
    if (kind === "ToolNode") nodeTools.set(id, tool ?? service ?? id)
    if (service !== undefined) agentServices.set(id, service)
    if (graph !== undefined) visitGraph(graph)
    if (worker !== undefined) visitNode(worker)
  }
  const visitGraph = ({ nodes }: ChartGraph): void => nodes.forEach(visitNode)
  const visitState = ({ meta, invoke, states }: ChartState, around: string | null): void => {
    const agent = meta?.agent ?? around
    if (meta !== undefined) agents.add(meta.agent)
    if (meta !== undefined && numberedKinds.includes(meta.kind)) numbered.add(meta.agent)
    if (meta?.outputKey !== undefined && meta.team !== true)
      containerKeys.set(meta.agent, meta.outputKey)
    const { service, graph, forEach: items } = invoke?.input ?? {}
    // The assertion is safe: the machine `fan` expects this input.
    if (items !== undefined && agent !== null) {
      forEach.set(agent, items as ForEach)
      numbered.add(agent)
    }
    if (typeof service === "string" && invoke?.src === "hostCode" && agent !== null)
      agentServices.set(agent, service)
    // The assertion is safe: the machine `workflowGraph` expects this input.
    if (graph !== undefined) visitGraph(graph as ChartGraph)
    for (const inner of Object.values(states ?? {})) visitState(inner, agent)
  }
  const visit = ({ machines, charts }: AgentChart): void => {
    for (const { states } of Object.values(machines))
      for (const state of Object.values(states)) visitState(state, null)
    for (const inner of Object.values(charts ?? {})) visit(inner)
  }
  visit(chart)
  return { nodeTools, agentServices, containerKeys, forEach, numbered, agents }
}
