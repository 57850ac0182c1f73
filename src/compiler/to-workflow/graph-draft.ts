/**
 * A graph of nodes that is being built. Its edges connect nodes by name. The name of a node is a
 * file, a function or `START`.
 */
export interface GraphDraft {
  readonly name: string
  readonly description: string | null
  readonly edges: DraftEdge[]
  /** Maximum number of runs of each node. Null selects ADK's default. */
  readonly maxCycles: number | null
}

export interface DraftEdge {
  readonly from: string
  readonly to: string
  readonly route: string | null
}

/**
 * A section of a graph, such as the nodes of a sequence. It has the nodes at which the section
 * starts (`entries`), and the nodes and routes at which it ends (`exits`).
 */
export interface GraphSection {
  readonly entries: readonly string[]
  readonly exits: readonly Exit[]
}

export interface Exit {
  readonly node: string
  /**
   * The route of the edges that lead from `node` to the nodes after the section (`GraphSection`).
   * Null if these edges have no route.
   */
  readonly route: string | null
}

export const start: Exit = { node: "START", route: null }

export function connect(
  { edges }: GraphDraft,
  exits: readonly Exit[],
  entries: readonly string[],
): void {
  for (const { node, route } of exits)
    for (const to of entries) edges.push({ from: node, to, route })
}

type ChainLink = string | Readonly<Record<string, string | readonly string[]>>

/**
 * Returns the edges of a graph in ADK's format, as chains of nodes such as
 * `["START", "a.yaml", "b.yaml"]`. The chains are as long as possible, and a chain can end with a
 * routing map, which maps routes to nodes. Every edge is in exactly one chain.
 */
export function chainsOf({ edges }: GraphDraft): readonly (readonly ChainLink[])[] {
  const plain = new Map<string, string[]>()
  const routed = new Map<string, Record<string, readonly string[]>>()
  for (const { from, to, route } of edges) {
    if (route === null) append(plain, from, to)
    else {
      const routes = routed.get(from) ?? {}
      routed.set(from, { ...routes, [route]: [...(routes[route] ?? []), to] })
    }
  }
  const chains: ChainLink[][] = []
  const takePlain = (from: string): string | undefined => plain.get(from)?.shift()
  const takeRoutes = (from: string): ChainLink | undefined => {
    const routes = routed.get(from)
    if (routes === undefined) return undefined
    routed.delete(from)
    for (const targets of Object.values(routes)) for (const target of targets) reached.add(target)
    return Object.fromEntries(
      Object.entries(routes).map(([route, targets]) => [
        route,
        targets.length === 1 ? (targets[0] ?? "") : targets,
      ]),
    )
  }
  // The chains start with the nodes that run first. The loop also visits the nodes that it adds to
  // the Set.
  const reached = new Set([start.node])
  for (const from of reached) {
    for (let to = takePlain(from); to !== undefined; to = takePlain(from)) {
      const chain: ChainLink[] = [from]
      let last = from
      for (let next: string | undefined = to; next !== undefined; next = takePlain(last)) {
        chain.push(next)
        reached.add(next)
        last = next
      }
      const routes = takeRoutes(last)
      chains.push(routes === undefined ? chain : [...chain, routes])
    }
    const routes = takeRoutes(from)
    if (routes !== undefined) chains.push([from, routes])
  }
  return chains
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
