import type { JsonObject } from "../../machines/data/json-object.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "../agents/base-agent.js"
import { BaseAgent, describeAgent } from "../agents/base-agent.js"
import { ChartedAgent } from "../agents/charted-agent.js"
import { describe } from "../description/program-builder.js"
import { refuse } from "../common/refuse.js"
import { choosesRoutes, FunctionNode, type NodeHandler } from "./nodes.js"

/** Name of the start node of every workflow graph. */
export const START = "START"

/**
 * A node of a workflow graph: an agent, or a function `(context, input)`. The node of a function
 * has the name of the function.
 */
export type WorkflowNode = BaseAgent | NodeHandler

type Nodes = WorkflowNode | readonly WorkflowNode[]

/** The next nodes by route. The route `default` applies if no other route matches. */
export interface RoutingMap {
  readonly [route: string]: Nodes
}

type Step = typeof START | Nodes | RoutingMap

/**
 * One edge, or a chain of several steps. Each step of a chain is a node or a list of parallel
 * nodes. The last step can be a routing map.
 */
export type WorkflowEdge =
  | readonly Step[]
  | { readonly from: typeof START | Nodes; readonly to: Nodes; readonly route?: string }
  | { readonly from: Nodes; readonly routes: RoutingMap; readonly default?: Nodes }

export interface WorkflowAgentConfig extends Omit<BaseAgentConfig, "subAgents"> {
  readonly edges: readonly WorkflowEdge[]
  /**
   * Maximum number of times that each node runs. Default: 10. If a node would run more often, the
   * workflow ends with status `limit`.
   */
  readonly maxIterations?: number
}

/**
 * A workflow graph: its edges decide which nodes run (docs/semantics.md#workflow-graphs). A node with several incoming edges waits for the
 * edges that were taken.
 *
 * @example
 * const judge = (context: NodeContext, draft: string) => {
 *   context.route = draft.length > 80 ? "good" : "bad"
 *   return draft
 * }
 * const rootAgent = new Workflow({ name: "flow", edges: [[START, writer, judge, { good: publisher, bad: writer }]] })
 * @throws AgentStatechartsError `definition_refused` for a function without a name.
 */
export class Workflow extends ChartedAgent {
  readonly edges: readonly WorkflowEdge[]
  readonly maxIterations: number | undefined
  readonly #names: ReadonlyMap<WorkflowNode, string>

  constructor({ edges, maxIterations, ...config }: WorkflowAgentConfig) {
    const nodes = nodesOf(edges, config.name)
    super({ ...config, subAgents: [...nodes.values()] })
    for (const source of routersIn(edges)) {
      const node = nodes.get(source)
      if (node instanceof FunctionNode) node[choosesRoutes]()
    }
    this.edges = edges
    this.maxIterations = maxIterations
    this.#names = new Map([...nodes].map(([source, node]) => [source, node.name]))
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const { subAgents, ...fields } = describeAgent(this, program)
    return {
      agentClass: "Workflow",
      ...fields,
      ...(subAgents !== undefined && { nodes: subAgents }),
      edges: this.edges.map((edge) => this.#withNames(edge)),
      ...(this.maxIterations !== undefined && { maxIterations: this.maxIterations }),
      ...this.otherOptions,
    }
  }

  /** Returns a copy of an edge that contains the names of nodes instead of the nodes. */
  #withNames(value: unknown): unknown {
    const name = this.#names.get(value as WorkflowNode)
    if (name !== undefined) return name
    if (Array.isArray(value)) return value.map((element) => this.#withNames(element))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.#withNames(inner)]),
    )
  }
}

/** Returns the agent of each node in the edges, by the agent or function that the edges contain. */
function nodesOf(edges: unknown, workflow: string): ReadonlyMap<WorkflowNode, BaseAgent> {
  const nodes = new Map<WorkflowNode, BaseAgent>()
  const visit = (value: unknown): void => {
    if (value instanceof BaseAgent) nodes.set(value, value)
    else if (typeof value === "function")
      nodes.set(
        value as NodeHandler,
        nodes.get(value as NodeHandler) ?? functionNode(value as NodeHandler, workflow),
      )
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit)
  }
  visit(edges)
  return nodes
}

/** Returns the agents and functions whose outgoing edges have routes. */
function routersIn(edges: readonly WorkflowEdge[]): readonly WorkflowNode[] {
  const steps = edges.flatMap((edge): readonly unknown[] => {
    if (isChain(edge)) return edge.flatMap((step, index) => (isMap(edge[index + 1]) ? step : []))
    return "routes" in edge || edge.route !== undefined ? [edge.from].flat() : []
  })
  return steps.filter(
    (step): step is WorkflowNode => step instanceof BaseAgent || typeof step === "function",
  )
}

const isChain = (edge: WorkflowEdge): edge is readonly Step[] => Array.isArray(edge)

const isMap = (step: unknown): boolean =>
  typeof step === "object" && step !== null && !Array.isArray(step) && !(step instanceof BaseAgent)

const functionNode = (func: NodeHandler, workflow: string): FunctionNode =>
  func.name === ""
    ? refuse(
        `An edge of "${workflow}" contains a function without a name.`,
        'Add a name: new FunctionNode("check", (context, input) => ...).',
      )
    : new FunctionNode(func.name, func)
