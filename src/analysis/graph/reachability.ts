import { targetPath } from "../../machines/contract/chart-transitions.js"
import type { StateGraph, StateNode } from "./state-graph.js"

/** What can be proved of the states of a machine, whatever models, tools and people answer. */
export interface Reachability {
  readonly reached: ReadonlySet<string>
  /** The outermost states that no run enters. */
  readonly unreachable: readonly string[]
  /** The outermost states that are entered and from which no end of the machine can be reached any more. */
  readonly deadEnds: readonly string[]
}

export function reachability(graph: StateGraph): Reachability {
  const reached = reachedStates(graph)
  const leading = statesThatLeadOut(graph)
  const outermost = (isOne: (path: string) => boolean): readonly string[] =>
    [...graph.states.values()]
      .filter(({ path, parent }) => isOne(path) && (parent === null || !isOne(parent.path)))
      .map(({ path }) => path)
  return {
    reached,
    unreachable: outermost((path) => !reached.has(path) && !isSpareEnd(path, graph)),
    deadEnds: outermost((path) => reached.has(path) && !leading.has(path)),
  }
}

/** Every machine has the end `done`; one that rests between invocations has no use for it. */
const isSpareEnd = (path: string, { states }: StateGraph): boolean =>
  path === "done" && [...states.values()].some(rests)

const rests = ({ state }: StateNode): boolean => state.tags?.includes("resting") === true

const isEnd = ({ state, parent }: StateNode): boolean => state.type === "final" && parent === null

/** Entering a state enters those around it, and what it begins with. */
function reachedStates({ machine, states, edges }: StateGraph): ReadonlySet<string> {
  const reached = new Set<string>()
  const pending: StateNode[] = []
  const enter = (node: StateNode | null | undefined): void => {
    if (node == null || reached.has(node.path)) return
    reached.add(node.path)
    pending.push(node)
  }
  enter(states.get(machine.initial))
  // What happens to a run from outside can happen at any time.
  for (const transition of Object.values(machine.on ?? {}).flat())
    enter(states.get(targetPath(machine, transition) ?? ""))
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    enter(node.parent)
    // Whatever it was entered by, all regions of a parallel state are entered.
    if (node.state.type === "parallel") node.children.forEach(enter)
    else if (node.state.initial !== undefined)
      enter(states.get(`${node.path}.${node.state.initial}`))
    for (const to of ownWays(node, edges)) enter(states.get(to))
    if (node.state.type === "final" && endsHolder(node, reached))
      for (const to of waysAfter(node.parent, edges)) enter(states.get(to))
  }
  return reached
}

/** Whether a final state that is entered may be the last one that the state around it waits for: a parallel state waits for all its regions. */
function endsHolder({ parent }: StateNode, reached: ReadonlySet<string>): boolean {
  if (parent?.parent?.state.type !== "parallel") return true
  return parent.parent.children.every(({ children }) =>
    children.some(({ path, state }) => state.type === "final" && reached.has(path)),
  )
}

/** Backwards from the ends: where an invocation rests is one too. */
function statesThatLeadOut(graph: StateGraph): ReadonlySet<string> {
  const comesFrom = new Map<string, string[]>()
  for (const node of graph.states.values()) {
    for (const next of nextOf(node, graph)) {
      const known = comesFrom.get(next)
      if (known === undefined) comesFrom.set(next, [node.path])
      else known.push(node.path)
    }
  }
  const leading = new Set(
    [...graph.states.values()].filter((node) => isEnd(node) || rests(node)).map(({ path }) => path),
  )
  // A set yields what is added while it is walked through.
  for (const path of leading) for (const before of comesFrom.get(path) ?? []) leading.add(before)
  return leading
}

/** Where a machine may go on to from a state; the end of what is inside leads on by the state around it. */
export function nextOf(node: StateNode, { edges }: StateGraph): readonly string[] {
  const { path, state, parent, children } = node
  const begins =
    state.type === "parallel"
      ? children.map((child) => child.path)
      : state.initial === undefined
        ? []
        : [`${path}.${state.initial}`]
  return [
    ...begins,
    ...ownWays(node, edges),
    ...(state.type === "final" ? waysAfter(parent, edges) : []),
  ]
}

const ownWays = ({ path }: StateNode, edges: StateGraph["edges"]): readonly string[] =>
  (edges.get(path) ?? []).filter(({ list }) => list.cause !== "inside").map(({ to }) => to)

/** The edges that are open when one of the inner states of this one has come to its end. */
function waysAfter(ended: StateNode | null, edges: StateGraph["edges"]): readonly string[] {
  const holder = ended?.parent?.state.type === "parallel" ? ended.parent : ended
  return holder === null
    ? []
    : (edges.get(holder.path) ?? [])
        .filter(({ list }) => list.cause === "inside")
        .map(({ to }) => to)
}
