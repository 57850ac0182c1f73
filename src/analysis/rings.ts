import type { StateGraph, StateNode, Way } from "./state-graph.js"
import { nextOf } from "./reachability.js"
import { ringsOf } from "./strong-components.js"

/** A way back that the chart counts: its guards lead elsewhere once the number is reached. */
export interface Counted {
  readonly kind: "loop" | "handoffs" | "cycles"
  /** The state whose rounds are counted. */
  readonly place: string
  readonly most: number
}

const counters = [
  { action: "nextIteration", guard: "maximumReached", param: "place", kind: "loop" },
  { action: "handOff", guard: "handoffLimitReached", param: "team", kind: "handoffs" },
  { action: "beginCycle", guard: "cycleLimitReached", param: null, kind: "cycles" },
] as const

/** What counts a way; null where nothing does. The guard that ends the rounds has to be asked before. */
export function countedBy({ transition, list }: Way): Counted | null {
  for (const { action, guard, param, kind } of counters) {
    const counting = transition.actions?.find(({ type }) => type === action)
    if (counting === undefined) continue
    const place = String(counting.params?.[param ?? "place"])
    const before = list.transitions.slice(0, list.transitions.indexOf(transition))
    const limit = before.find(
      (other) =>
        other.guard?.type === guard && (param === null || other.guard.params?.[param] === place),
    )
    const most = limit?.guard?.params?.["max"]
    if (typeof most === "number" && limit?.target !== transition.target)
      return { kind, place, most }
  }
  return null
}

/** What goes round without being counted, innermost states of each ring; a user's next message begins another invocation. */
export function uncountedRings(
  graph: StateGraph,
  reached: ReadonlySet<string>,
): readonly (readonly StateNode[])[] {
  const nodes = [...graph.states.values()].filter(({ path }) => reached.has(path))
  const isOpen = (way: Way): boolean => way.list.cause !== "event" && !isCountedInside(way)
  const ways = new Map([...graph.ways].map(([path, own]) => [path, own.filter(isOpen)]))
  const uncounted = { ...graph, ways }
  return ringsOf(nodes, (node) =>
    nextOf(node, uncounted).flatMap((path) => graph.states.get(path) ?? []),
  )
}

/** Only what comes back into the state whose rounds are counted is bounded by their number. */
function isCountedInside(way: Way): boolean {
  const counted = countedBy(way)
  if (counted === null) return false
  return counted.kind === "cycles" || (isIn(way.from, counted.place) && isIn(way.to, counted.place))
}

const isIn = (path: string, place: string): boolean => path.startsWith(`${place}.`)

/** The ring that is left where some of its states cannot be passed for nothing; empty where every round passes one of them. */
export function ringWithout(
  ring: readonly StateNode[],
  graph: StateGraph,
  isPaid: (node: StateNode) => boolean,
): readonly StateNode[] {
  const free = ring.filter((node) => !isPaid(node))
  const inside = new Set(free)
  const ways = new Map(
    [...graph.ways].map(([path, own]) => [
      path,
      own.filter((way) => way.list.cause !== "event" && !isCountedInside(way)),
    ]),
  )
  const left = ringsOf(free, (node) =>
    nextOf(node, { ...graph, ways })
      .flatMap((path) => graph.states.get(path) ?? [])
      .filter((next) => inside.has(next)),
  )
  return left[0] ?? []
}
