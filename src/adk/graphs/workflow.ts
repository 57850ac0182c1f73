import type { JsonObject } from "../../machines/data/json-object.js"
import { createSuggest, didYouMean } from "../../machines/data/suggest.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "../agents/base-agent.js"
import { BaseAgent, describeAgent } from "../agents/base-agent.js"
import { ChartedAgent } from "../agents/charted-agent.js"
import { jsonSchemaOf } from "../common/schema.js"
import { refuse } from "../common/refuse.js"
import { describe } from "../description/program-builder.js"
import type { BaseNode } from "../nodes/base-node.js"
import { commonOptions, nodeOptions, nodesOfGraphs } from "../nodes/base-node.js"
import type { NamedEdge } from "./check-graph.js"
import { checkGraph } from "./check-graph.js"
import type { WorkflowEdge } from "./edges.js"
import { flatEdges } from "./edges.js"
import { nodeCode } from "../nodes/node-code.js"
import type { NodeContext } from "../nodes/node-context.js"
import { FunctionNode, JoinNode } from "./nodes.js"
import type { NodeLike } from "./node.js"
import { node } from "./node.js"

export interface WorkflowAgentConfig extends Omit<BaseAgentConfig, "subAgents"> {
  /** The edges of the graph. A Workflow has either `edges` or a `dynamicEntry`. */
  readonly edges?: readonly WorkflowEdge[]
  /**
   * A function that replaces `edges` and runs nodes with `ctx.runNode`. Its return value is the
   * output of the Workflow. After a person answers a question, the function starts again from the
   * beginning.
   */
  readonly dynamicEntry?: (context: NodeContext, input: unknown) => unknown
  /** Maximum number of nodes that run at the same time. Default: no maximum. */
  readonly maxConcurrency?: number
  /**
   * Maximum number of times that each node runs. If a node would run more often, the workflow ends
   * with status `limit`. Default: 500.
   */
  readonly maxIterations?: number
}

/**
 * A workflow graph (docs/semantics.md#one-run-for-each-trigger). A node that ends triggers its
 * successors. Each trigger starts one run of the successor. A JoinNode waits for all of its
 * predecessors.
 *
 * @example
 * const judge = (context: NodeContext, draft: string) => {
 *   context.route = draft.length > 80 ? "good" : "bad"
 *   return draft
 * }
 * const rootAgent = new Workflow({ name: "flow", edges: [[START, writer, judge, { good: publisher, bad: writer }]] })
 * @throws AgentStatechartsError `definition_refused` if the edges are invalid, with the reason.
 */
export class Workflow extends ChartedAgent {
  readonly edges: readonly WorkflowEdge[]
  readonly dynamicEntry: WorkflowAgentConfig["dynamicEntry"]
  readonly maxConcurrency: number | undefined
  readonly maxIterations: number | undefined
  private readonly nodes: readonly BaseNode[]
  private readonly namedEdges: readonly NamedEdge[]

  constructor(given: WorkflowAgentConfig) {
    const { edges = [], dynamicEntry, maxConcurrency, maxIterations, ...config } = given
    if ((given.edges === undefined) === (dynamicEntry === undefined))
      refuse(
        `The Workflow "${config.name}" has ${dynamicEntry === undefined ? "neither edges nor" : "both edges and"} dynamicEntry.`,
        `${suggestedOption(given)}Pass either { edges: [[START, first]] } or { dynamicEntry: async (ctx, input) => ... }.`,
      )
    if (maxConcurrency !== undefined && !(Number.isInteger(maxConcurrency) && maxConcurrency > 0))
      refuse(
        `maxConcurrency of "${config.name}" is not a positive integer: ${maxConcurrency}.`,
        "Pass 1 or more, or remove it.",
      )
    const graph = dynamicEntry === undefined ? graphOf(edges, config.name) : noGraph
    super({ ...config, subAgents: graph.nodes.filter((one) => one instanceof BaseAgent) }, [
      "inputSchema",
      "outputSchema",
    ])
    for (const one of [this, ...graph.nodes]) nodesOfGraphs.add(one)
    this.edges = edges
    this.dynamicEntry = dynamicEntry
    this.maxConcurrency = maxConcurrency
    this.maxIterations = maxIterations
    this.nodes = graph.nodes
    this.namedEdges = graph.edges
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    if (this.dynamicEntry !== undefined) return describeEntry(this, this.dynamicEntry, program)
    const { maxConcurrency, maxIterations } = this
    const { subAgents: _, ...fields } = describeAgent(this, program, [])
    return {
      agentClass: "Workflow",
      ...fields,
      triggering: "each",
      nodes: this.nodes.map((one) => program.agent(one)),
      edges: this.namedEdges.map(({ from, to, route }) => ({
        from: from ?? "START",
        to,
        ...(route !== null && { route }),
      })),
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      ...(maxIterations !== undefined && { maxIterations }),
      ...optionsField([this, ...this.nodes], program),
      ...this.otherOptions,
    }
  }

  /** @internal */
  override [nodeOptions](): JsonObject {
    const { name, inputSchema, outputSchema } = this
    return {
      ...commonOptions(this),
      ...(this.dynamicEntry !== undefined && { returnsNodeResult: true, rerunOnResume: true }),
      ...(inputSchema !== undefined && {
        inputSchema: jsonSchemaOf(inputSchema, `the inputSchema of the node "${name}"`),
      }),
      ...(outputSchema !== undefined && {
        outputSchema: jsonSchemaOf(outputSchema, `the outputSchema of the node "${name}"`),
      }),
    }
  }
}

/**
 * Returns the config of a Workflow without edges. The config is a FunctionNode that calls
 * `dynamicEntry`.
 */
function describeEntry(
  workflow: Workflow,
  entry: NonNullable<WorkflowAgentConfig["dynamicEntry"]>,
  program: AgentProgramBuilder,
): JsonObject {
  const { name, description } = workflow
  return {
    agentClass: "FunctionNode",
    name,
    ...(description !== undefined && { description }),
    service: program.service(`${name}.dynamicEntry`, nodeCode(workflow, entry)),
  }
}

/**
 * Returns the config field `nodeOptions`, which contains the options of the graph and of its nodes.
 * The options of each node include the plugins' node callbacks.
 */
function optionsField(nodes: readonly BaseNode[], program: AgentProgramBuilder): JsonObject {
  const { beforeNode, afterNode } = program.nodeCallbacks
  const entries = nodes.flatMap((one) => {
    const options = {
      ...one[nodeOptions](),
      ...(beforeNode.length > 0 && { beforeNodeCallbacks: [...beforeNode] }),
      ...(afterNode.length > 0 && { afterNodeCallbacks: [...afterNode] }),
    }
    return Object.keys(options).length === 0 ? [] : [[one.name, options] as const]
  })
  return entries.length === 0 ? {} : { nodeOptions: Object.fromEntries(entries) }
}

/**
 * Wraps a root node in a graph if the node cannot be the root of a config. Such nodes are a
 * Workflow with `dynamicEntry` and a node that is not an agent. Returns null if no graph is
 * necessary.
 */
export function graphAround(root: BaseNode): Workflow | null {
  const isEntry = root instanceof Workflow && root.dynamicEntry !== undefined
  const isCode =
    !(root instanceof BaseAgent) || root instanceof FunctionNode || root instanceof JoinNode
  return isEntry || isCode
    ? new Workflow({ name: `${root.name}_run`, edges: [["START", root]] })
    : null
}

const noGraph: Graph = { nodes: [], edges: [] }

interface Graph {
  readonly nodes: readonly BaseNode[]
  readonly edges: readonly NamedEdge[]
}

/**
 * Returns the nodes and the edges of a graph. If several edges contain the same object, the object
 * becomes one node. Throws if two nodes have the same name or the graph is invalid.
 */
function graphOf(edges: readonly WorkflowEdge[], owner: string): Graph {
  const nodes = new Map<NodeLike, BaseNode>()
  const nodeOf = (nodeLike: NodeLike): BaseNode => {
    const known = nodes.get(nodeLike)
    if (known !== undefined) return known
    const created = node(nodeLike)
    nodes.set(nodeLike, created)
    return created
  }
  const named = flatEdges(edges, owner).map(({ from, to, route }) => ({
    from: from === null ? null : nodeOf(from).name,
    to: nodeOf(to).name,
    route,
  }))
  const unique = [...new Set(nodes.values())]
  const names = new Set<string>()
  for (const { name } of unique) {
    if (names.has(name) || name === owner)
      refuse(`"${owner}" has two nodes with the name "${name}".`, "Give each node its own name.")
    names.add(name)
  }
  checkGraph(owner, names, named)
  return { nodes: unique, edges: named }
}

/**
 * Returns a "did you mean" hint if the options contain a name that is similar to `edges` or
 * `dynamicEntry`.
 */
function suggestedOption(config: object): string {
  const suggest = createSuggest()
  const suggestions = Object.keys(config).map((name) => suggest(name, ["edges", "dynamicEntry"]))
  return didYouMean(suggestions.find((name) => name !== null) ?? null)
}
