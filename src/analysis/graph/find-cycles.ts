/**
 * Returns the cycles of a graph: its strongly connected components, except for single nodes without
 * an edge to themselves. Uses Tarjan's algorithm with an explicit stack, because recursion could
 * overflow the call stack.
 */
export function findCycles<Node>(
  nodes: readonly Node[],
  next: (node: Node) => readonly Node[],
): readonly (readonly Node[])[] {
  const known = new Set(nodes)
  const order = new Map<Node, number>()
  const low = new Map<Node, number>()
  const open: Node[] = []
  const isOpen = new Set<Node>()
  const cycles: Node[][] = []

  const begin = (node: Node): Visit<Node> => {
    order.set(node, order.size)
    low.set(node, order.get(node) ?? 0)
    open.push(node)
    isOpen.add(node)
    return { node, following: next(node).filter((other) => known.has(other)), index: 0 }
  }
  const lower = (node: Node, value: number): void =>
    void low.set(node, Math.min(low.get(node) ?? value, value))

  for (const start of nodes) {
    if (order.has(start)) continue
    const visits = [begin(start)]
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { node, following } = visit
      const other = following[visit.index++]
      if (other !== undefined) {
        if (!order.has(other)) visits.push(begin(other))
        else if (isOpen.has(other)) lower(node, order.get(other) ?? 0)
        continue
      }
      visits.pop()
      const above = visits.at(-1)
      if (above !== undefined) lower(above.node, low.get(node) ?? 0)
      if (low.get(node) !== order.get(node)) continue
      const cycle = open.splice(open.lastIndexOf(node))
      for (const member of cycle) isOpen.delete(member)
      if (cycle.length > 1 || following.includes(node)) cycles.push(cycle)
    }
  }
  return cycles
}

interface Visit<Node> {
  readonly node: Node
  readonly following: readonly Node[]
  index: number
}
