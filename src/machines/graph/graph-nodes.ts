import { emitStateChange } from "../containers/emit-state-change.js"
import { linksOf } from "../data/linked-list.js"
import type { GraphEnd, GraphContext, RunningNode } from "./graph-context.js"
import {
  addEnd,
  isAgent,
  getNode,
  locationOf,
  locationOfNode,
  setRunning,
} from "./graph-context.js"
import type { PendingNode, EdgeOutput } from "./graph-progress.js"
import {
  addArrivals,
  choosesRoute,
  splitByReadiness,
  selectEdges,
  edgeOutputsOf,
} from "./graph-progress.js"
import type { ChartGraph } from "../contract/chart-graph.js"
import type { NodeTurn } from "./graph-turns.js"
import { agentInput, argumentsOf, codeInput, nodeInput, readRoutes, textOf } from "./graph-turns.js"
import type { JoiningPath, Writes } from "./graph-writes.js"
import { joinPaths, withoutHistory, writesAfter } from "./graph-writes.js"
import { mergeError } from "../containers/join.js"
import type { RunError } from "../contract/run-event.js"
import { emptyPatch, isEmptyPatch, readKey, writeKey } from "../data/session-state.js"
import type { Step } from "../contract/machine-kind.js"

/**
 * Starts all nodes of a graph that are ready. A JoinNode finishes immediately, which can make
 * further nodes ready. They are started too.
 */
export function startNodes(context: GraphContext, step: Step): void {
  while (context.ending === null) {
    const { graph } = context.input
    const { ready, waiting } = splitByReadiness(
      context.arrivals,
      context.running,
      graph,
      context.index,
    )
    if (ready.length === 0) return
    const isOnly =
      ready.length === 1 &&
      waiting.length === 0 &&
      context.running.count === 0 &&
      context.ends === null
    context.arrivals = waiting
    for (const arrival of ready) {
      const run = context.ending === null ? startNode(context, arrival, isOnly, step) : null
      if (run === null)
        for (const token of edgeOutputsOf(arrival)) addEnd(context, endOf(arrival.node, token))
      else if (getNode(context, run.node).src === null)
        recordTurn(context, run, joinTurn(run, context.at), step)
    }
  }
}

/**
 * Starts the machine of a node. Returns null if the node cannot run and the graph ends, for example
 * because the node has reached the maximum number of runs.
 */
function startNode(
  context: GraphContext,
  arrival: PendingNode,
  isOnly: boolean,
  step: Step,
): RunningNode | null {
  const { input } = context
  const { graph, path: above } = input
  const { node: index } = arrival
  const node = getNode(context, index)
  const earlier = (readKey(context.startCounts, node.id) as number | undefined) ?? 0
  if (earlier >= graph.maxIterations) {
    context.ending = "limited"
    context.error = {
      code: "limit_reached",
      agent: node.id,
      message: `the node "${node.id}" of "${input.agent}" has run ${earlier} times, which is the maximum (maxIterations); increase the setting, or change the graph so that the cycle ends`,
    }
    return null
  }
  const tokens = edgeOutputsOf(arrival)
  const joined = joinPaths(
    tokens.map((token): JoiningPath => ({ name: sourceOf(graph, token), writes: token.writes })),
    context.rules,
    ++context.ordinal,
  )
  if (!joined.ok) {
    context.ending = "failed"
    context.error = mergeError(node.id, joined.message)
    return null
  }
  context.startCounts = writeKey(context.startCounts, node.id, earlier + 1)
  const path = `${above}/${node.id}${earlier === 0 ? "" : `[${earlier}]`}`
  const writes = isOnly ? withoutHistory(joined.writes) : joined.writes
  const run: RunningNode = {
    node: index,
    path,
    inputValue: nodeInput(node, tokens, graph),
    writes,
    isPaused: false,
  }
  const violation =
    node.parameters === undefined
      ? null
      : step.validate(node.parameters, argumentsOf(node, run.inputValue))
  if (violation !== null) {
    context.ending = "failed"
    context.error = {
      code: "schema_violated",
      agent: node.id,
      message: `the input of the tool of the node "${node.id}" does not match its parameters schema: ${violation}`,
    }
    return null
  }
  if (!isAgent(node))
    step.emit({ type: "agent.started", kind: node.kind, ...locationOfNode(context, run) })
  if (node.src === null) return run
  const isFirst = tokens.every(({ edge }) => graph.edges[edge]?.from === -1)
  const given = isAgent(node)
    ? agentInput(input, node, path, run.inputValue, isFirst, writes.state, context.at, step)
    : codeInput(input, node, path, run.inputValue, writes.state, context.at)
  setRunning(context, index, run)
  step.start(
    `node.${index}`,
    node.src,
    node.graph === undefined ? given : { ...given, graph: node.graph },
  )
  return run
}

const sourceOf = ({ nodes, edges }: ChartGraph, { edge }: EdgeOutput): string =>
  nodes[edges[edge]?.from ?? -1]?.id ?? "START"

/**
 * Returns the result of a JoinNode. Its output is its input, which is an object with the outputs of
 * the previous nodes by node id.
 */
const joinTurn = ({ inputValue }: RunningNode, at: number): NodeTurn => ({
  signal: "done",
  output: inputValue,
  text: textOf(inputValue),
  patch: emptyPatch,
  newEntries: [],
  escalates: false,
  error: null,
  at,
})

export function recordTurn(
  context: GraphContext,
  run: RunningNode,
  turn: NodeTurn,
  step: Step,
): void {
  const node = getNode(context, run.node)
  const { signal, text, patch, newEntries, at } = turn
  context.at = at
  const location = locationOfNode(context, run)
  const writes = isEmptyPatch(patch)
    ? run.writes
    : writesAfter(run.writes, patch, ++context.ordinal)
  emitStateChange(location, patch, step)
  if (!isAgent(node))
    step.emit({ type: "agent.finished", kind: node.kind, outcome: signal, text, ...location })
  if (newEntries.length > 0) context.newEntries = { link: newEntries, before: context.newEntries }
  if (turn.escalates) context.escalates = true
  const end = (output: unknown): void => addEnd(context, { node: run.node, output, text, writes })
  const { graph } = context.input
  const exits = signal === "exited" && graph.subAgentExitFlow !== "agent"
  if (signal === "stopped" || signal === "failed" || signal === "limited" || exits) {
    context.ending ??= signal
    context.error ??= turn.error
    end(turn.output)
    return
  }
  const chooses = node.kind === "RouterNode" || choosesRoute(run.node, graph, context.index)
  const { routes, output } = chooses
    ? readRoutes(turn.output, run.inputValue)
    : { routes: [], output: turn.output }
  const followed = selectEdges(run.node, routes, graph, context.index)
  if (!followed.ok) {
    context.ending ??= "failed"
    context.error ??= unknownRoute(node.id, routes, followed.known, context)
    end(output)
  } else if (followed.edges.length === 0) end(output)
  else
    followEdges(
      context,
      followed.edges,
      { output, writes, route: routes[0] ?? null, from: node.id },
      step,
    )
}

function unknownRoute(
  node: string,
  routes: readonly string[],
  known: readonly string[],
  { input }: GraphContext,
): RunError {
  const chose =
    routes.length === 0
      ? "chose no route"
      : `chose the route ${routes.map((route) => `"${route}"`).join(", ")}`
  return {
    code: "unknown_route",
    agent: node,
    message: `the node "${node}" in the graph "${input.agent}" ${chose}, but its edges have only the routes ${known.map((route) => `"${route}"`).join(", ")} and no default. Add an edge for the route, or a default edge`,
  }
}

interface NodeResult {
  readonly output: unknown
  readonly writes: Writes
  readonly route: string | null
  readonly from: string
}

export function followEdges(
  context: GraphContext,
  edges: readonly number[],
  { output, writes, route, from }: NodeResult,
  step: Step,
): void {
  const { graph } = context.input
  for (const edge of edges) {
    const { to, route: own } = graph.edges[edge] as ChartGraph["edges"][number]
    step.emit({
      type: "edge.followed",
      from,
      to: getNode(context, to).id,
      route: own ?? (graph.edges[edge]?.otherwise === true ? route : null),
      ...locationOf(context.input),
    })
  }
  context.arrivals = addArrivals(
    context.arrivals,
    edges.map((edge) => ({ edge, output, writes })),
    graph,
  )
}

const endOf = (node: number, { output, writes }: EdgeOutput): GraphEnd => ({
  node,
  output,
  text: null,
  writes,
})

/**
 * Merges the state changes of all paths through the graph in the order of the nodes, including the
 * paths of waiting and running nodes. Also sets the text and the output of the graph.
 */
export function joinGraph(context: GraphContext, step: Step): void {
  const waiting = context.arrivals.flatMap((arrival) =>
    edgeOutputsOf(arrival).map((token) => endOf(arrival.node, token)),
  )
  const working = context.running.byNode.flatMap((run): readonly GraphEnd[] =>
    run === null ? [] : [{ node: run.node, output: null, text: null, writes: run.writes }],
  )
  const ends = linksOf(context.ends)
  const all = [...ends, ...waiting, ...working].sort((one, other) => one.node - other.node)
  const joined = joinPaths(
    all.map(({ node, writes }) => ({ name: getNode(context, node).id, writes })),
    step.chart.settings.stateMerge,
    ++context.ordinal,
  )
  if (joined.ok) context.writes = joined.writes
  else context.error ??= mergeError(context.input.agent, joined.message)
  const last = ends
    .toSorted((one, other) => one.node - other.node)
    .findLast(({ text }) => text !== null)
  context.text = last?.text ?? null
  context.output = last?.output ?? null
}
