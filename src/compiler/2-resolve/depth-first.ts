/** A walk through a graph that may have cycles: what it found, and the order in which it left the nodes. */
export interface DepthFirst<Node, Edge> {
  /** The last edge of every cycle: without these there is none. */
  readonly closing: ReadonlySet<Edge>
  /** Cycles as their edges, from the node where each was entered back to that node. Not all where there are very many. */
  readonly cycles: readonly (readonly EdgeStep<Node, Edge>[])[]
  /** Every node after all that it leads to; only where there is no cycle. */
  readonly order: readonly Node[]
}

export interface EdgeStep<Node, Edge> {
  readonly from: Node
  readonly edge: Edge
}

interface Frame<Node, Edge> {
  readonly node: Node
  readonly edges: readonly Edge[]
  next: number
}

/** Edges that are kept in cycles; a chain of n references back to its start has n * n of them. */
const longestPaths = 200_000

/** Without recursion: a chain of ten thousand references is no reason to overflow the stack. One cycle for each closing edge. */
export function depthFirst<Node, Edge extends { readonly to: Node }>(
  nodes: Iterable<Node>,
  edgesOf: (node: Node) => readonly Edge[],
): DepthFirst<Node, Edge> {
  const cycles: EdgeStep<Node, Edge>[][] = []
  const closing = new Set<Edge>()
  const order: Node[] = []
  let kept = 0
  const depths = new Map<Node, number>()
  const left = new Set<Node>()
  for (const start of nodes) {
    if (left.has(start)) continue
    const path: Frame<Node, Edge>[] = []
    const enter = (node: Node) => {
      depths.set(node, path.length)
      path.push({ node, edges: edgesOf(node), next: 0 })
    }
    enter(start)
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const edge = frame.edges[frame.next++]
      if (edge === undefined) {
        path.pop()
        depths.delete(frame.node)
        left.add(frame.node)
        order.push(frame.node)
      } else if (!left.has(edge.to)) {
        const depth = depths.get(edge.to)
        if (depth === undefined) enter(edge.to)
        else {
          closing.add(edge)
          kept += path.length - depth
          if (kept <= longestPaths)
            cycles.push(
              path.slice(depth).flatMap(({ node, edges, next }) => stepOf(node, edges[next - 1])),
            )
        }
      }
    }
  }
  return { closing, cycles, order }
}

const stepOf = <Node, Edge>(from: Node, edge: Edge | undefined): EdgeStep<Node, Edge>[] =>
  edge === undefined ? [] : [{ from, edge }]
