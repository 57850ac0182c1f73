/** The result of a depth-first search through a graph that may have cycles. */
export interface DepthFirst<Node, Edge> {
  /** The edges that close a cycle. Without these edges, the graph would have no cycles. */
  readonly closing: ReadonlySet<Edge>
  /**
   * The cycles in the graph. Each cycle is a list of edges that starts and ends at the same node.
   * If the cycles have more than 200,000 edges in total, some cycles are omitted.
   */
  readonly cycles: readonly (readonly EdgeStep<Node, Edge>[])[]
  /**
   * The nodes in reverse topological order, in which each node comes after all nodes that its edges
   * lead to. Only meaningful for a graph without cycles.
   */
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

/**
 * Maximum total number of edges in the returned cycles. Without this limit, a chain of n references
 * that all lead back to its start would produce about n * n edges.
 */
const longestPaths = 200_000

/**
 * Searches a graph depth-first. Returns one cycle for each edge that leads back to a node on the
 * current path. The search is not recursive, because a chain of ten thousand references would
 * overflow the stack.
 */
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
