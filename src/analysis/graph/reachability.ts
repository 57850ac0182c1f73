import { targetPath } from "../../machines/contract/chart-transitions.js"
import type { StateGraph, StateNode } from "./state-graph.js"

/**
 * The reachable states and the dead ends of one machine. The analysis assumes that models, tools
 * and people can respond in any way.
 */
export interface Reachability {
  readonly reached: ReadonlySet<string>
  /** Paths of states that no run can enter. If a state is listed, its nested states are not. */
  readonly unreachable: readonly string[]
  /**
   * Paths of states from which the machine cannot reach its end. If a state is listed, its nested
   * states are not.
   */
  readonly deadEnds: readonly string[]
}

export function reachability(graph: StateGraph): Reachability {
  const reached = reachedStates(graph)
  const leadingOut = statesThatLeadOut(graph)
  const outermost = (isOne: (path: string) => boolean): readonly string[] =>
    [...graph.states.values()]
      .filter(({ path, parent }) => isOne(path) && (parent === null || !isOne(parent.path)))
      .map(({ path }) => path)
  return {
    reached,
    unreachable: outermost((path) => !reached.has(path) && !isUnusedDone(path, graph)),
    deadEnds: outermost((path) => reached.has(path) && !leadingOut.has(path)),
  }
}

/**
 * Returns whether a state is the final state `done` of a machine that never ends. The compiler adds
 * `done` to every machine. A machine that stays idle until the next user message never enters this
 * state.
 */
const isUnusedDone = (path: string, { states }: StateGraph): boolean =>
  path === "done" && [...states.values()].some(isIdle)

const isIdle = ({ state }: StateNode): boolean => state.tags?.includes("resting") === true

const isEnd = ({ state, parent }: StateNode): boolean => state.type === "final" && parent === null

/**
 * Returns the paths of all reachable states. If a state is entered, its parents and its initial
 * state are entered too.
 */
function reachedStates({ machine, states, edges }: StateGraph): ReadonlySet<string> {
  const reached = new Set<string>()
  const pending: StateNode[] = []
  const enter = (node: StateNode | null | undefined): void => {
    if (node == null || reached.has(node.path)) return
    reached.add(node.path)
    pending.push(node)
  }
  enter(states.get(machine.initial))
  // Events from outside can arrive at any time, so their targets are reachable.
  for (const transition of Object.values(machine.on ?? {}).flat())
    enter(states.get(targetPath(machine, transition) ?? ""))
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    enter(node.parent)
    // Entering a parallel state enters all of its regions.
    if (node.state.type === "parallel") node.children.forEach(enter)
    else if (node.state.initial !== undefined)
      enter(states.get(`${node.path}.${node.state.initial}`))
    for (const to of ownTargets(node, edges)) enter(states.get(to))
    if (node.state.type === "final" && mayEndParent(node, reached))
      for (const to of targetsAfterEnd(node.parent, edges)) enter(states.get(to))
  }
  return reached
}

/**
 * Returns whether entering a final state can complete its parent state. If the parent is a region
 * of a parallel state, every region of the parallel state must be able to reach a final state.
 */
function mayEndParent({ parent }: StateNode, reached: ReadonlySet<string>): boolean {
  if (parent?.parent?.state.type !== "parallel") return true
  return parent.parent.children.every(({ children }) =>
    children.some(({ path, state }) => state.type === "final" && reached.has(path)),
  )
}

/**
 * Returns the paths of all states from which the machine can reach an end. An end is a final state
 * at the top level, or the state in which the machine is idle between invocations. Searches
 * backwards from these ends.
 */
function statesThatLeadOut(graph: StateGraph): ReadonlySet<string> {
  const comesFrom = new Map<string, string[]>()
  for (const node of graph.states.values()) {
    for (const next of nextOf(node, graph)) {
      const known = comesFrom.get(next)
      if (known === undefined) comesFrom.set(next, [node.path])
      else known.push(node.path)
    }
  }
  const leadingOut = new Set(
    [...graph.states.values()]
      .filter((node) => isEnd(node) || isIdle(node))
      .map(({ path }) => path),
  )
  // A Set iterates over paths that are added during the iteration.
  for (const path of leadingOut)
    for (const before of comesFrom.get(path) ?? []) leadingOut.add(before)
  return leadingOut
}

/**
 * Returns the paths of the states that a machine can enter directly after a state. For a final
 * state, the result includes the targets of the parent's `onDone`.
 */
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
    ...ownTargets(node, edges),
    ...(state.type === "final" ? targetsAfterEnd(parent, edges) : []),
  ]
}

const ownTargets = ({ path }: StateNode, edges: StateGraph["edges"]): readonly string[] =>
  (edges.get(path) ?? []).filter(({ list }) => list.cause !== "inside").map(({ to }) => to)

/**
 * Returns the targets of the `onDone` transitions that XState takes when a final child of `ended`
 * is entered. If `ended` is a region of a parallel state, these are the `onDone` transitions of the
 * parallel state.
 */
function targetsAfterEnd(ended: StateNode | null, edges: StateGraph["edges"]): readonly string[] {
  const holder = ended?.parent?.state.type === "parallel" ? ended.parent : ended
  return holder === null
    ? []
    : (edges.get(holder.path) ?? [])
        .filter(({ list }) => list.cause === "inside")
        .map(({ to }) => to)
}
