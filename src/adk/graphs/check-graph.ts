import { refuse } from "../common/refuse.js"

/**
 * An edge between two graph nodes, by node name. `from` is null for the start of the graph. `route`
 * is null for an edge without a route.
 */
export interface NamedEdge {
  readonly from: string | null
  readonly to: string
  readonly route: string | null
}

/**
 * Checks that the edges of a Workflow form a valid graph.
 *
 * @throws AgentStatechartsError `definition_refused` with the first problem.
 */
export function checkGraph(
  owner: string,
  nodes: Iterable<string>,
  edges: readonly NamedEdge[],
): void {
  const following = new Map<string | null, NamedEdge[]>()
  const known = new Set<string>()
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to, edge.route])
    if (known.has(key))
      refuse(`"${owner}" has the same edge twice: ${textOf(edge)}.`, "Remove one of them.")
    known.add(key)
    const out = following.get(edge.from)
    if (out === undefined) following.set(edge.from, [edge])
    else out.push(edge)
  }
  const starts = following.get(null) ?? []
  if (starts.length === 0)
    refuse(
      `"${owner}" has no edge from START.`,
      "Begin a chain with START: [START, first, second].",
    )
  const routed = starts.find(({ route }) => route !== null)
  if (routed !== undefined)
    refuse(
      `"${owner}" has a routed edge from START: ${textOf(routed)}.`,
      "Start with a node that chooses the route.",
    )
  checkDefaults(owner, following)
  checkReachable(owner, nodes, following)
  checkCycles(owner, following)
}

type Following = ReadonlyMap<string | null, readonly NamedEdge[]>

const textOf = ({ from, to, route }: NamedEdge): string =>
  `${from ?? "START"} to ${to}${route === null ? "" : ` (${route})`}`

function checkDefaults(owner: string, following: Following): void {
  for (const [from, out] of following)
    if (out.filter(({ route }) => route === "default").length > 1)
      refuse(
        `"${owner}" has two default edges from "${from}".`,
        "Keep one default edge, and lead it to a node that fans out.",
      )
}

function checkReachable(owner: string, nodes: Iterable<string>, following: Following): void {
  const reached = new Set((following.get(null) ?? []).map(({ to }) => to))
  // The loop also visits nodes that are added to the Set during the iteration.
  for (const node of reached) for (const { to } of following.get(node) ?? []) reached.add(to)
  for (const node of nodes)
    if (!reached.has(node))
      refuse(
        `"${owner}" has a node that is not reachable from START: "${node}".`,
        "Add an edge to it, or remove it.",
      )
}

/**
 * Throws if the graph has a cycle in which no edge has a route, because a run that enters such a
 * cycle could never leave it.
 */
function checkCycles(owner: string, following: Following): void {
  const finished = new Set<string>()
  const open = new Set<string>()
  const stack: { readonly node: string; readonly next: string[] }[] = []
  const enter = (node: string): void => {
    open.add(node)
    const next = (following.get(node) ?? []).flatMap(({ to, route }) =>
      route === null ? [to] : [],
    )
    stack.push({ node, next })
  }
  for (const start of following.keys()) {
    if (start === null || finished.has(start)) continue
    enter(start)
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const to = top.next.pop()
      if (to === undefined) {
        open.delete(top.node)
        finished.add(top.node)
        stack.pop()
      } else if (open.has(to))
        refuse(
          `"${owner}" has an unconditional cycle at "${to}".`,
          "Add a route to one of its edges, so that a node chooses whether to repeat.",
        )
      else if (!finished.has(to)) enter(to)
    }
  }
}
