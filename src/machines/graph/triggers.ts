import type { ChartGraphEdge } from "../contract/chart-graph.js"
import type { Step } from "../contract/machine-kind.js"
import type { JsonObject } from "../data/json-object.js"
import { choosesRoute } from "./graph-progress.js"
import type { NodeValue } from "./node-result.js"
import { routeTexts } from "./node-result.js"
import type { NodeRunInput } from "./node-run-context.js"
import type { Trigger, TriggeredGraphContext } from "./triggered-graph-context.js"
import { graphLocation, nodeAt } from "./triggered-graph-context.js"

type Context = TriggeredGraphContext

/**
 * Adds a request to run the target node of each edge. The target nodes receive `inputValue`. A
 * JoinNode runs only when all of its predecessors have ended.
 */
export function trigger(
  context: Context,
  edges: readonly number[],
  inputValue: NodeValue,
  from: { readonly id: string; readonly route: string | null },
  step: Step,
): void {
  const added: Trigger[] = []
  const completed = [...context.completed]
  for (const index of edges) {
    const edge = edgeAt(context, index)
    const target = nodeAt(context, edge.to)
    step.emit({
      type: "edge.followed",
      from: from.id,
      to: target.id,
      route: edge.route ?? (edge.otherwise === true ? from.route : null),
      ...graphLocation(context),
    })
    if (target.kind !== "JoinNode")
      added.push({ node: edge.to, inputValue, isFirst: edge.from === -1 })
    else if (isComplete(context, edge.to))
      added.push({ node: edge.to, inputValue: { value: joined(context, edge.to) }, isFirst: false })
    completed[edge.to] = null
  }
  context.completed = completed
  context.waiting = [...context.waiting, ...added]
}

const edgeAt = ({ input }: Context, index: number): ChartGraphEdge =>
  input.graph.edges[index] as ChartGraphEdge

const predecessors = (context: Context, node: number): readonly number[] => [
  ...new Set((context.index.incoming[node] ?? []).map((edge) => edgeAt(context, edge).from)),
]

const isComplete = (context: Context, join: number): boolean =>
  predecessors(context, join).every((from) => context.completed[from] !== null)

/** Returns the input of a JoinNode, which contains the outputs of its predecessors by node id. */
const joined = (context: Context, join: number): JsonObject =>
  Object.fromEntries(
    predecessors(context, join).map((from) => [
      nodeAt(context, from).id,
      context.completed[from]?.value ?? null,
    ]),
  )

/**
 * Starts nodes that were triggered, oldest first, until `maxConcurrency` nodes are running. A node
 * that was triggered several times runs once for each trigger, one run after the other.
 */
export function startTriggered(context: Context, step: Step): void {
  const most = context.input.graph.maxConcurrency ?? Infinity
  if (context.waiting.length === 0 || context.ending !== null || context.isStopping) return
  const left: Trigger[] = []
  const running = [...context.running]
  const startCounts = [...context.startCounts]
  for (const [position, one] of context.waiting.entries()) {
    if (context.runningCount >= most || context.ending !== null) {
      left.push(...context.waiting.slice(position))
      break
    }
    if (running[one.node] != null) {
      left.push(one)
      continue
    }
    const earlier = startCounts[one.node] ?? 0
    if (earlier >= context.input.graph.maxIterations) {
      limit(context, one, step)
      left.push(one)
      continue
    }
    startCounts[one.node] = earlier + 1
    running[one.node] = { isPaused: false }
    context.runningCount = context.runningCount + 1
    startRun(context, one, earlier, step)
  }
  context.waiting = left
  context.running = running
  context.startCounts = startCounts
}

function startRun(
  context: Context,
  { node: index, inputValue, isFirst }: Trigger,
  earlier: number,
  step: Step,
): void {
  const { input, state, history, at } = context
  const node = nodeAt(context, index)
  const run: NodeRunInput = {
    runId: input.runId,
    agent: node.id,
    path: `${input.path}/${node.id}${earlier === 0 ? "" : `[${earlier}]`}`,
    branch: input.branch,
    iteration: input.iteration,
    state,
    history,
    prompt: [],
    memory: null,
    remember: false,
    at,
    node,
    inputValue,
    isFirst: isFirst && input.isRoot,
    choosesRoute: choosesRoute(index, input.graph, context.index),
    outputs: outputsOf(context),
    ...(input.graph.subAgentExitFlow === "agent" && { subAgentExitFlow: "agent" }),
  }
  step.start(`node.${index}`, "nodeRun", run)
}

/**
 * Returns the last output of each node that has returned an output, by node id. The templates of
 * agents' instructions can read these outputs.
 */
function outputsOf({ completed, input }: Context): JsonObject {
  const outputs: Record<string, unknown> = {}
  for (const [index, result] of completed.entries()) {
    const id = input.graph.nodes[index]?.id
    if (result?.value !== undefined && id !== undefined) outputs[id] = result.value
  }
  return outputs
}

function limit(context: Context, { node }: Trigger, step: Step): void {
  const { input } = context
  const { maxIterations } = input.graph
  const { id } = nodeAt(context, node)
  context.ending = "limited"
  context.error = {
    code: "limit_reached",
    agent: id,
    message: `the node "${id}" of "${input.agent}" has run ${maxIterations} times, which is the maximum (maxIterations ${maxIterations}; the run also ends after maxModelCalls ${step.chart.settings.maxModelCalls} model calls); increase the setting, or change the graph so that the cycle ends`,
  }
}

/**
 * Returns the outgoing edges that are followed after a node has chosen `route`, which is a route or
 * a list of routes. `isUnmatched` is true if no edge has a chosen route and there is no default
 * edge.
 */
export function edgesToFollow(
  context: Context,
  node: number,
  route: unknown,
): { readonly edges: readonly number[]; readonly isUnmatched: boolean } {
  const routes = routeTexts(route)
  const outgoing = context.index.outgoing[node] ?? []
  const isRouted = (index: number): boolean => edgeAt(context, index).route !== undefined
  const isDefault = (index: number): boolean => edgeAt(context, index).otherwise === true
  const always = outgoing.filter((index) => !isRouted(index) && !isDefault(index))
  const chosen = outgoing.filter((index) => routes.includes(edgeAt(context, index).route ?? ""))
  const matched = chosen.filter(isRouted)
  const fallback = matched.length === 0 ? outgoing.filter(isDefault) : []
  return {
    edges: [...always, ...matched, ...fallback].sort((one, other) => one - other),
    isUnmatched:
      matched.length === 0 && fallback.length === 0 && routes.length > 0 && outgoing.some(isRouted),
  }
}
