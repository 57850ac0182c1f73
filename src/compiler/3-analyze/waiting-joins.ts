import { report } from "../diagnostics/config-location.js"
import { describeValue } from "../diagnostics/show.js"
import type { GraphEdge, WorkflowGraphNode } from "../2-resolve/agent-node.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"

/**
 * The condition under which a graph node runs: the node `router` must choose a certain route.
 * `parent` is the condition under which the router itself runs. A node that always runs has null
 * instead of a `Cause`.
 */
interface Cause {
  /** Index of the router node. The graph node only runs if this router chooses a certain route. */
  readonly router: number
  /** The condition under which the router itself runs. Null if it always runs. */
  readonly parent: Cause | null
  readonly depth: number
  /** True if the node runs as soon as any of several routes is chosen. */
  readonly isMerged?: true
}

/**
 * Maximum number of route conditions (`Cause`) that are compared for one graph, because a malicious
 * config could take quadratic time. Joins beyond this limit are not reported.
 */
const budget = 1_000_000

/**
 * Reports a warning for each JoinNode that may never run, because one of its predecessors only runs
 * if a node chooses a certain route. With `triggering: "each"`, a join waits for all predecessors
 * (docs/semantics.md#one-run-for-each-trigger).
 */
export function warnOfWaitingJoins({ workflow, agents }: ResolvedWorkflow): void {
  for (const graph of workflow.agents.values()) {
    if (graph.type !== "Workflow" || graph.triggering !== "each") continue
    const incoming = grouped(graph.edges, ({ to }) => to)
    const causeOf = causesIn(graph, incoming)
    graph.subAgents.forEach((join, index) => {
      const config = agents.get(join.id)
      if (join.type !== "JoinNode" || config === undefined) return
      const found = waitsFor(incoming.get(index) ?? [], causeOf)
      if (found === null) return
      const [waited, router] = [found.node, found.cause.router].map((node) =>
        describeValue(graph.subAgents[node]?.id ?? ""),
      )
      report(config.location, {
        code: "join_may_wait",
        severity: "warning",
        problem: `may never run: it waits for ${waited}, which only runs if ${router} chooses a certain route`,
        fix: `Add an edge without a route from ${router} to ${waited}, or set "triggering": "joined" on the Workflow ${describeValue(graph.id)}.`,
      })
    })
  }
}

/**
 * Returns the predecessor of a join that depends on the longest chain of route choices, with its
 * condition (`cause`). Returns null if all predecessors run under the same condition.
 */
function waitsFor(
  edges: readonly GraphEdge[],
  causeOf: ReadonlyMap<number, Cause | null>,
): { readonly node: number; readonly cause: Cause } | null {
  let deepest: { readonly node: number; readonly cause: Cause } | null = null
  const causes = new Set<Cause | null>()
  for (const { from } of edges) {
    const cause = from < 0 ? undefined : causeOf.get(from)
    if (cause === undefined) continue
    causes.add(cause)
    if (cause !== null && (deepest === null || cause.depth > deepest.cause.depth))
      deepest = { node: from, cause }
  }
  return causes.size > 1 ? deepest : null
}

/**
 * Returns the condition under which each graph node runs, by node index. The condition is the route
 * that must be chosen, or null if the node always runs. The map only contains nodes that are
 * reachable from START. Edges that close a cycle are ignored.
 */
function causesIn(
  graph: WorkflowGraphNode,
  incoming: ReadonlyMap<number, readonly GraphEdge[]>,
): ReadonlyMap<number, Cause | null> {
  const order = nodesInOrder(graph)
  const position = new Map(order.map((node, index) => [node, index]))
  const routes = routesOf(graph.edges)
  const causes = new Map<number, Cause | null>([[-1, null]])
  const edgeCauses = new Map<string, Cause>()
  let left = budget

  const causeOfEdge = ({ from, route, otherwise }: GraphEdge): Cause | null => {
    const parent = causes.get(from) ?? null
    if (route === null && !otherwise) return parent
    const key = JSON.stringify([from, route])
    const known = edgeCauses.get(key)
    if (known !== undefined) return known
    const cause = { router: from, parent, depth: (parent?.depth ?? 0) + 1 }
    edgeCauses.set(key, cause)
    return cause
  }

  /**
   * Returns the condition under which at least one of several edges is followed. Null means always.
   * If the edges cover all routes of a router, one of them is followed whenever the router runs. In
   * this case, the condition is that of the router. Returns undefined if the edges have no common
   * condition.
   */
  const common = (given: ReadonlySet<Cause | null>): Cause | null | undefined => {
    const found = new Set(given)
    for (;;) {
      if (found.has(null)) return null
      if (found.size <= 1) return [...found][0]
      left -= found.size
      if (left < 0) return undefined
      const single = [...found].filter((cause) => cause?.isMerged !== true)
      const byRouter = grouped(single, (cause) => cause?.router ?? -1)
      const complete = [...byRouter].find(([router, all]) => all.length === routes.get(router))
      if (complete === undefined) return undefined
      const [, all] = complete
      for (const cause of all) found.delete(cause)
      found.add(all[0]?.parent ?? null)
    }
  }

  const own = new Map<string, Cause>()
  const ids = new Map<Cause, number>()
  const idOf = (cause: Cause): number => {
    const known = ids.get(cause) ?? ids.size
    ids.set(cause, known)
    return known
  }
  for (const node of order) {
    if (node === -1) continue
    const nodeIndex = position.get(node) ?? 0
    const earlier = (incoming.get(node) ?? []).filter(
      ({ from }) => (position.get(from) ?? nodeIndex) < nodeIndex,
    )
    const all = new Set(earlier.map(causeOfEdge))
    const shared = common(all)
    if (shared !== undefined) {
      causes.set(node, shared)
      continue
    }
    const several = [...all].flatMap((cause) => cause ?? [])
    const key = several
      .map(idOf)
      .sort((one, other) => one - other)
      .join()
    const deepest = several.reduce((one, other) => (other.depth > one.depth ? other : one))
    const cause = own.get(key) ?? { ...deepest, isMerged: true as const }
    own.set(key, cause)
    causes.set(node, cause)
  }
  return causes
}

/**
 * Returns the number of routes of each node that has a default edge. Other nodes are not included,
 * because they may follow none of their routes.
 */
function routesOf(edges: readonly GraphEdge[]): ReadonlyMap<number, number> {
  const routes = new Map<number, Set<string | null>>()
  const withDefault = new Set<number>()
  for (const { from, route, otherwise } of edges) {
    if (route === null && !otherwise) continue
    routes.set(from, (routes.get(from) ?? new Set()).add(route))
    if (otherwise) withDefault.add(from)
  }
  return new Map(
    [...routes].flatMap(([from, all]) =>
      withDefault.has(from) ? [[from, all.size] as const] : [],
    ),
  )
}

/**
 * Returns the indexes of START (-1) and of the nodes that are reachable from it. Each node comes
 * after its predecessors, except for edges that close a cycle.
 */
function nodesInOrder({ edges }: WorkflowGraphNode): readonly number[] {
  const outgoing = grouped(edges, ({ from }) => from)
  const finished: number[] = []
  const seen = new Set([-1])
  const stack = [{ node: -1, next: 0 }]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const to = outgoing.get(top.node)?.[top.next++]?.to
    if (to === undefined) {
      finished.push(top.node)
      stack.pop()
    } else if (!seen.has(to)) {
      seen.add(to)
      stack.push({ node: to, next: 0 })
    }
  }
  return finished.toReversed()
}

function grouped<Key, Value>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}
