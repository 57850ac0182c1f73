import type { StateGraph, StateNode, StateEdge } from "./state-graph.js"
import { nextOf } from "./reachability.js"
import { findCycles } from "./find-cycles.js"

/**
 * A counter in a chart that limits how often a transition is taken, such as the iterations of a
 * loop. When the counter reaches its maximum, a guard selects another transition.
 */
export interface CycleCounter {
  readonly kind: "loop" | "handoffs" | "cycles"
  /** Path of the state that contains the limited cycle, for example the state of a loop. */
  readonly path: string
  readonly most: number
}

const counters = [
  { action: "nextIteration", guard: "maximumReached", param: "place", kind: "loop" },
  { action: "handOff", guard: "handoffLimitReached", param: "team", kind: "handoffs" },
  { action: "beginCycle", guard: "cycleLimitReached", param: null, kind: "cycles" },
] as const

/**
 * Returns the counter that limits how often a transition is taken, or null if there is none. A
 * counter needs an earlier transition in the same list. When the counter reaches its maximum, the
 * machine takes the earlier transition instead.
 */
export function counterOf({ transition, list }: StateEdge): CycleCounter | null {
  for (const { action, guard, param, kind } of counters) {
    const counting = transition.actions?.find(({ type }) => type === action)
    if (counting === undefined) continue
    const path = String(counting.params?.[param ?? "place"])
    const before = list.transitions.slice(0, list.transitions.indexOf(transition))
    const limit = before.find(
      (other) =>
        other.guard?.type === guard && (param === null || other.guard.params?.[param] === path),
    )
    const most = limit?.guard?.params?.["max"]
    if (typeof most === "number" && limit?.target !== transition.target) return { kind, path, most }
  }
  return null
}

/**
 * Returns the cycles of states that no counter limits. A cycle that waits for a user message is not
 * included, because each message starts a new invocation.
 */
export function uncountedCycles(
  graph: StateGraph,
  reached: ReadonlySet<string>,
): readonly (readonly StateNode[])[] {
  const nodes = [...graph.states.values()].filter(({ path }) => reached.has(path))
  const isOpen = (edge: StateEdge): boolean => edge.list.cause !== "event" && !isCounted(edge)
  const edges = new Map([...graph.edges].map(([path, own]) => [path, own.filter(isOpen)]))
  const uncounted = { ...graph, edges }
  return findCycles(nodes, (node) =>
    nextOf(node, uncounted).flatMap((path) => graph.states.get(path) ?? []),
  )
}

/**
 * Returns whether a counter limits how often a transition is taken. The counter of a loop or of a
 * handoff team limits only transitions between states inside this loop or team.
 */
function isCounted(edge: StateEdge): boolean {
  const counted = counterOf(edge)
  if (counted === null) return false
  return counted.kind === "cycles" || (isIn(edge.from, counted.path) && isIn(edge.to, counted.path))
}

const isIn = (path: string, container: string): boolean => path.startsWith(`${container}.`)

/**
 * Searches the states of a cycle for a smaller cycle that avoids certain states. All of its states
 * have the `isPaid` result false, for example because they call no model. Returns the states of the
 * first smaller cycle, or an empty list if there is none.
 */
export function cycleWithout(
  cycle: readonly StateNode[],
  graph: StateGraph,
  isPaid: (node: StateNode) => boolean,
): readonly StateNode[] {
  const free = cycle.filter((node) => !isPaid(node))
  const inside = new Set(free)
  const edges = new Map(
    [...graph.edges].map(([path, own]) => [
      path,
      own.filter((edge) => edge.list.cause !== "event" && !isCounted(edge)),
    ]),
  )
  const left = findCycles(free, (node) =>
    nextOf(node, { ...graph, edges })
      .flatMap((path) => graph.states.get(path) ?? [])
      .filter((next) => inside.has(next)),
  )
  return left[0] ?? []
}
