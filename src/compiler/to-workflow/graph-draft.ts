/** A Workflow graph while it is written: edges between names, which are files, functions or `START`. */
export interface GraphDraft {
  readonly name: string
  readonly description: string | null
  readonly edges: DraftEdge[]
  /** How often one node may run; null: ADK's default. */
  readonly maxCycles: number | null
}

export interface DraftEdge {
  readonly from: string
  readonly to: string
  readonly route: string | null
}

/** Where a part of the graph is entered, and how it is left. */
export interface GraphSection {
  readonly entries: readonly string[]
  readonly exits: readonly Exit[]
}

export interface Exit {
  readonly node: string
  /** The route by which it is left here; null: always. */
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

type ChainLink = string | Readonly<Record<string, string>>

/**
 * The edges as ADK writes them: chains as long as they go, a routing map at the end of a chain. Every edge stands in one chain.
 */
export function chainsOf({ edges }: GraphDraft): readonly (readonly ChainLink[])[] {
  const plain = new Map<string, string[]>()
  const routed = new Map<string, Record<string, string>>()
  for (const { from, to, route } of edges) {
    if (route === null) append(plain, from, to)
    else routed.set(from, { ...routed.get(from), [route]: to })
  }
  const chains: ChainLink[][] = []
  const takePlain = (from: string): string | undefined => plain.get(from)?.shift()
  const takeRoutes = (from: string): Record<string, string> | undefined => {
    const routes = routed.get(from)
    routed.delete(from)
    for (const target of Object.values(routes ?? {})) reached.add(target)
    return routes
  }
  // In the order in which a run comes to the nodes; a set yields what is added while it is walked through.
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
