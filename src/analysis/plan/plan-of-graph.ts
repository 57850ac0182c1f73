import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { PlannedAgent, GroupPlan, Plan, PlanChild } from "./plan.js"
import { findCycles } from "../graph/find-cycles.js"

/**
 * Returns the plan of an ADK workflow graph, which contains the maximum number of runs of each
 * node. By default, a node waits for all incoming edges and runs once. If `triggering` is `"each"`,
 * a node runs once for each run of the nodes before it. A node in or after a cycle runs up to
 * `maxIterations` times.
 */
export function planOfGraph(
  graph: ChartGraph,
  planned: PlannedAgent,
  planOfNode: (node: ChartGraphNode, planned: PlannedAgent) => Plan,
): GroupPlan {
  const repeated = repeatedNodes(graph)
  const reached = reachableFrom(graph, startsOf(graph))
  const triggers = graph.triggering === "each" ? triggersOf(graph, repeated) : null
  const children = graph.nodes.map((node, index): PlanChild => {
    const most = triggers === null ? 1 : (triggers[index] ?? 1)
    const times = !reached.has(index) ? 0 : repeated.has(index) ? graph.maxIterations : most
    return {
      plan: planOfNode(node, {
        agent: node.id,
        kind: node.kind,
        path: `${planned.path}/${node.id}`,
      }),
      when: null,
      times,
    }
  })
  return {
    ...planned,
    type: "group",
    order: "any",
    times: 1,
    timesBy: repeated.size > 0 ? "maxIterations" : null,
    children,
    exitCondition: null,
    outputKey: null,
  }
}

/**
 * Returns the maximum number of runs of each node, by node index, if `triggering` is `"each"`. A
 * node runs once for each run of the nodes before it, but a join runs only once. A node in or after
 * a cycle can run `maxIterations` times.
 */
function triggersOf(graph: ChartGraph, repeated: ReadonlySet<number>): readonly number[] {
  const incoming = graph.nodes.map((): number[] => [])
  for (const { from, to } of graph.edges) incoming[to]?.push(from)
  const known = new Map<number, number>([[-1, 1]])
  // Nodes outside cycles, in an order in which the nodes before a node come first.
  const pending = [...graph.nodes.keys()].filter((node) => !repeated.has(node))
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (known.has(node)) continue
    const before = incoming[node] ?? []
    const missing = before.filter((from) => !known.has(from))
    if (missing.length > 0) pending.push(node, ...missing)
    else {
      const sum = before.reduce((total, from) => total + (known.get(from) ?? 0), 0)
      const isJoin = graph.nodes[node]?.kind === "JoinNode"
      known.set(node, Math.min(isJoin ? 1 : sum, graph.maxIterations))
    }
  }
  return graph.nodes.map((_, index) => known.get(index) ?? graph.maxIterations)
}

const startsOf = ({ edges }: ChartGraph): readonly number[] =>
  edges.flatMap(({ from, to }) => (from === -1 ? [to] : []))

function repeatedNodes(graph: ChartGraph): ReadonlySet<number> {
  const following = followers(graph)
  const cycles = findCycles([...graph.nodes.keys()], (node) => following[node] ?? [])
  return reachableFrom(graph, cycles.flat())
}

/** Returns the indexes of the nodes in `first` and of all nodes that can be reached from them. */
function reachableFrom(graph: ChartGraph, first: readonly number[]): ReadonlySet<number> {
  const following = followers(graph)
  const reached = new Set(first)
  // A Set iterates over nodes that are added during the iteration.
  for (const node of reached) for (const next of following[node] ?? []) reached.add(next)
  return reached
}

function followers({ nodes, edges }: ChartGraph): readonly (readonly number[])[] {
  const following = nodes.map((): number[] => [])
  for (const { from, to } of edges) following[from]?.push(to)
  return following
}
