import type { LinkedList } from "../data/linked-list.js"
import { linksOf } from "../data/linked-list.js"
import type { ChartGraph, ChartGraphEdge } from "../contract/chart-graph.js"
import type { Writes } from "./graph-writes.js"

/**
 * The output of a node that an edge has delivered to its target node. `writes` contains the session
 * state that the source node left, with the changes that led to it.
 */
export interface EdgeOutput {
  readonly edge: number
  readonly output: unknown
  readonly writes: Writes
}

/** A node that has received at least one input but has not started yet. */
export interface PendingNode {
  readonly node: number
  readonly came: LinkedList<EdgeOutput>
}

/**
 * Returns the inputs of a node in the order of its incoming edges. If an edge delivered several
 * outputs, only the newest output of this edge is returned.
 */
export function edgeOutputsOf({ came }: PendingNode): readonly EdgeOutput[] {
  const byEdge = new Map(linksOf(came).map((token) => [token.edge, token]))
  return [...byEdge.values()].sort((one, other) => one.edge - other.edge)
}

/** The running nodes of a graph by node index, and their number. */
export interface RunningNodes {
  readonly count: number
  readonly byNode: readonly (object | null)[]
}

/**
 * The indexes of the edges of each node. They make it unnecessary to search all edges of the graph.
 */
export interface GraphIndex {
  readonly starting: readonly number[]
  readonly incoming: readonly (readonly number[])[]
  readonly outgoing: readonly (readonly number[])[]
}

export function graphIndex({ nodes, edges }: ChartGraph): GraphIndex {
  const starting: number[] = []
  const incoming = nodes.map((): number[] => [])
  const outgoing = nodes.map((): number[] => [])
  for (const [index, { from, to }] of edges.entries()) {
    incoming[to]?.push(index)
    if (from === -1) starting.push(index)
    else outgoing[from]?.push(index)
  }
  return { starting, incoming, outgoing }
}

/**
 * Adds delivered outputs to the target nodes of their edges. Returns all nodes that have received
 * input but have not started, in the order of the nodes.
 */
export function addArrivals(
  arrivals: readonly PendingNode[],
  tokens: readonly EdgeOutput[],
  { edges }: ChartGraph,
): readonly PendingNode[] {
  if (tokens.length === 0) return arrivals
  const byNode = new Map(arrivals.map(({ node, came }) => [node, came]))
  for (const token of tokens) {
    const node = edges[token.edge]?.to ?? -1
    byNode.set(node, { link: token, before: byNode.get(node) ?? null })
  }
  return [...byNode].sort(([one], [other]) => one - other).map(([node, came]) => ({ node, came }))
}

/**
 * Divides the nodes that have received input into nodes that can start and nodes that must wait. A
 * node with several incoming edges waits for further input while a running or waiting node can
 * still reach it (docs/semantics.md#workflow-graphs). If no node is running and all nodes wait for
 * each other in a cycle, the first node starts.
 */
export function splitByReadiness<Arrival extends Pick<PendingNode, "node">>(
  arrivals: readonly Arrival[],
  running: Pick<RunningNodes, "count" | "byNode">,
  graph: ChartGraph,
  index: GraphIndex,
): { readonly ready: readonly Arrival[]; readonly waiting: readonly Arrival[] } {
  const pendingNodes = new Set(arrivals.map(({ node }) => node))
  const isBusy = (node: number): boolean => pendingNodes.has(node) || running.byNode[node] != null
  const ready: Arrival[] = []
  const waiting: Arrival[] = []
  for (const arrival of arrivals) {
    const { node } = arrival
    const canStart =
      running.byNode[node] == null &&
      ((index.incoming[node]?.length ?? 0) < 2 || !canBeReached(node, isBusy, graph, index))
    if (canStart) ready.push(arrival)
    else waiting.push(arrival)
  }
  const [first, ...others] = waiting
  return ready.length === 0 && running.count === 0 && first !== undefined
    ? { ready: [first], waiting: others }
    : { ready, waiting }
}

/**
 * Returns whether a running or waiting node can still reach the node `target` over the edges of the
 * graph. Checks the last edges first, because they usually come from nodes that are still running.
 */
function canBeReached(
  target: number,
  isBusy: (node: number) => boolean,
  { edges }: ChartGraph,
  { incoming }: GraphIndex,
): boolean {
  const seen = new Set([target])
  const pending = [target]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const edgesIn = incoming[node] ?? []
    for (let position = edgesIn.length - 1; position >= 0; position--) {
      const from = edges[edgesIn[position] ?? -1]?.from ?? -1
      if (from === -1 || seen.has(from)) continue
      if (isBusy(from)) return true
      seen.add(from)
      pending.push(from)
    }
  }
  return false
}

export type SelectedEdges =
  | { readonly ok: true; readonly edges: readonly number[] }
  | { readonly ok: false; readonly known: readonly string[] }

const isRouted = ({ route, otherwise }: ChartGraphEdge): boolean =>
  route !== undefined || otherwise === true

/**
 * Returns whether a node chooses between routes. This is the case if one of its outgoing edges has
 * a route or is the default edge.
 */
export const choosesRoute = (
  node: number,
  { edges }: ChartGraph,
  { outgoing }: GraphIndex,
): boolean => (outgoing[node] ?? []).some((edge) => isRouted(edges[edge] as ChartGraphEdge))

/**
 * Returns the outgoing edges that are followed after a node has chosen these routes. If a chosen
 * route has no edge and there is no default edge, returns `ok: false` and the routes that have an
 * edge.
 */
export function selectEdges(
  node: number,
  routes: readonly string[],
  { edges }: ChartGraph,
  { outgoing }: GraphIndex,
): SelectedEdges {
  const out = (outgoing[node] ?? []).map((index) => ({
    index,
    edge: edges[index] as ChartGraphEdge,
  }))
  const always = out.filter(({ edge }) => !isRouted(edge))
  if (always.length === out.length) return { ok: true, edges: always.map(({ index }) => index) }
  const chosen = out.filter(({ edge }) => edge.route !== undefined && routes.includes(edge.route))
  const isKnown =
    routes.length > 0 && routes.every((route) => chosen.some(({ edge }) => edge.route === route))
  const fallback = isKnown ? [] : out.filter(({ edge }) => edge.otherwise === true)
  if (!isKnown && fallback.length === 0)
    return { ok: false, known: out.flatMap(({ edge }) => edge.route ?? []) }
  const followed = new Set([...always, ...chosen, ...fallback].map(({ index }) => index))
  return { ok: true, edges: [...followed].sort((one, other) => one - other) }
}
