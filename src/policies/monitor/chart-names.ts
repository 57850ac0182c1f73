import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { ChartState, ForEach } from "../../machines/contract/chart-machine.js"

/** The names in a chart that the events of a run do not contain. */
export interface ChartNames {
  /** The model of each agent: its name, or the URL of an agent with an endpoint. */
  readonly models: ReadonlyMap<string, string>
  /** The tool that each ToolNode calls. */
  readonly nodeTools: ReadonlyMap<string, string>
  /** The host function that each node or custom agent runs. */
  readonly agentServices: ReadonlyMap<string, string>
  /** The host function of each tool that has one. */
  readonly toolServices: ReadonlyMap<string, string>
  /** The output key of each container that has one. */
  readonly containerKeys: ReadonlyMap<string, string>
  /** The items of each parallel block with `forEach`. */
  readonly forEach: ReadonlyMap<string, ForEach>
}

/** Collects the names of a chart, including the workflows inside of its nodes. */
export function chartNames(chart: AgentChart): ChartNames {
  const models = new Map<string, string>()
  const nodeTools = new Map<string, string>()
  const agentServices = new Map<string, string>()
  const toolServices = new Map<string, string>()
  const containerKeys = new Map<string, string>()
  const forEach = new Map<string, ForEach>()

  const visitNode = ({ id, kind, tool, service, graph, worker }: ChartGraphNode): void => {
    if (kind === "ToolNode") nodeTools.set(id, tool ?? service ?? id)
    if (service !== undefined) agentServices.set(id, service)
    if (graph !== undefined) visitGraph(graph)
    if (worker !== undefined) visitNode(worker)
  }
  const visitGraph = ({ nodes }: ChartGraph): void => nodes.forEach(visitNode)
  const visitState = ({ meta, invoke, states }: ChartState, around: string | null): void => {
    const agent = meta?.agent ?? around
    if (meta?.outputKey !== undefined && meta.team !== true)
      containerKeys.set(meta.agent, meta.outputKey)
    const { service, graph, forEach: items } = invoke?.input ?? {}
    // The machine `fan` expects its input in this shape.
    if (items !== undefined && agent !== null) forEach.set(agent, items as ForEach)
    if (typeof service === "string" && invoke?.src === "hostCode" && agent !== null)
      agentServices.set(agent, service)
    // The machine `workflowGraph` expects its input in this shape.
    if (graph !== undefined) visitGraph(graph as ChartGraph)
    for (const inner of Object.values(states ?? {})) visitState(inner, agent)
  }
  const visit = ({ agents, tools, machines, charts }: AgentChart): void => {
    for (const [agent, definition] of Object.entries(agents))
      if (definition.type === "LlmAgent")
        models.set(agent, definition.endpoint?.url ?? definition.model ?? "")
    for (const [id, tool] of Object.entries(tools))
      if (tool.type === "FunctionTool") toolServices.set(id, tool.service)
    for (const { states } of Object.values(machines))
      for (const state of Object.values(states)) visitState(state, null)
    for (const inner of Object.values(charts ?? {})) visit(inner)
  }
  visit(chart)
  return { models, nodeTools, agentServices, toolServices, containerKeys, forEach }
}
