import type { AgentKind } from "../../machines/contract/chart-machine.js"
import type { ChartGraph, ChartGraphNode } from "../../machines/contract/graph-shape.js"
import type { GroupPlan, Plan, PlanChild } from "./plan.js"
import { findCycles } from "../graph/find-cycles.js"

interface Placed {
  readonly agent: string
  readonly kind: AgentKind
  readonly path: string
}

/**
 * The plan of a graph of nodes. A node runs once, as what comes to it at several edges is waited for, unless it stands in a cycle or
 * behind one: then the graph's `maxIterations` bounds it.
 */
export function planOfGraph(
  graph: ChartGraph,
  place: Placed,
  planOfNode: (node: ChartGraphNode, at: Placed) => Plan,
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
  const rings = findCycles([...graph.nodes.keys()], (node) => following[node] ?? [])
  return reachableFrom(graph, rings.flat())
}

/** Those nodes and all that a run may come to from them. */
function reachableFrom(graph: ChartGraph, first: readonly number[]): ReadonlySet<number> {
  const following = followers(graph)
  const behind = new Set(first)
  // A set yields what is added while it is walked through.
  for (const node of behind) for (const next of following[node] ?? []) behind.add(next)
  return behind
}

function followers({ nodes, edges }: ChartGraph): readonly (readonly number[])[] {
  const following = nodes.map((): number[] => [])
  for (const { from, to } of edges) following[from]?.push(to)
  return following
}
