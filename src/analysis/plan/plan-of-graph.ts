import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { PlannedAgent, GroupPlan, Plan, PlanChild } from "./plan.js"
import { findCycles } from "../graph/find-cycles.js"

/**
 * Returns the plan of a workflow graph. A node runs once, because it waits for all of its incoming
 * edges. Nodes in a cycle and nodes after a cycle run up to `maxIterations` times.
 */
export function planOfGraph(
  graph: ChartGraph,
  place: PlannedAgent,
  planOfNode: (node: ChartGraphNode, at: PlannedAgent) => Plan,
): GroupPlan {
  const repeated = repeatedNodes(graph)
  const reached = reachableFrom(graph, startsOf(graph))
  const children = graph.nodes.map((node, index): PlanChild => {
    const times = !reached.has(index) ? 0 : repeated.has(index) ? graph.maxIterations : 1
    return {
      plan: planOfNode(node, { agent: node.id, kind: node.kind, path: `${place.path}/${node.id}` }),
      when: null,
      times,
    }
  })
  return {
    ...place,
    type: "group",
    order: "any",
    times: 1,
    timesBy: repeated.size > 0 ? "maxIterations" : null,
    children,
    exitCondition: null,
    outputKey: null,
  }
}

const startsOf = ({ edges }: ChartGraph): readonly number[] =>
  edges.flatMap(({ from, to }) => (from === -1 ? [to] : []))

function repeatedNodes(graph: ChartGraph): ReadonlySet<number> {
  const following = followers(graph)
  const cycles = findCycles([...graph.nodes.keys()], (node) => following[node] ?? [])
  return reachableFrom(graph, cycles.flat())
}

/** Returns the indexes of these nodes and of all nodes that follow them. */
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
