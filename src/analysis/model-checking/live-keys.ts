import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { readCondition } from "../conditions/read-condition.js"
import { conditionsIn } from "../conditions/conditions-in.js"
import type { StateNode } from "../graph/state-graph.js"
import { stateGraph } from "../graph/state-graph.js"
import type { KeyValues, TrackedKeys } from "./tracked-keys.js"

/**
 * Removes the values of session state keys that no condition in or after the chart state `path` can
 * read. The other values are called live and stay unchanged.
 */
export type KeepLive = (values: KeyValues, path: string) => KeyValues

/**
 * Returns a function that removes values of session state keys in a state of the root machine, if
 * no condition can read them anymore. Without this, values that are never read again would multiply
 * the states of the search. The values of the keys in `reported` are never removed.
 */
export function liveKeys(
  chart: AgentChart,
  { names }: TrackedKeys,
  reported: ReadonlyMap<string, readonly unknown[]>,
): KeepLive {
  const { root, machines } = chart
  const machine = machines[root]
  if (machine === undefined || names.length === 0) return (values) => values
  const readBy = (sources: readonly string[]): number =>
    sources.reduce((all, source) => {
      const { reads = [] } = readCondition(source) ?? {}
      return names.reduce(
        (mask, name, index) => (reads.includes(name) ? mask | (1 << index) : mask),
        all,
      )
    }, 0)
  // A run can emit the write event of a key long after the key was written.
  const named = names.reduce(
    (mask, name, index) => (reported.has(name) ? mask | (1 << index) : mask),
    0,
  )
  // Actors of other machines can check their conditions in every state.
  const everywhere = Object.entries(machines).reduce(
    (all, [key, { states }]) =>
      key === root ? all : all | readBy(conditionsIn({ states }, chart)),
    named,
  )
  const { states, edges } = stateGraph(root, machine, chart)
  const before = new Map<string, string[]>()
  const live = new Map<string, number>()
  const addEdge = (from: string, to: string): void => {
    const known = before.get(to)
    if (known === undefined) before.set(to, [from])
    else known.push(from)
  }
  for (const [path, node] of states) {
    let reads = everywhere
    for (let around: StateNode | null = node; around !== null; around = around.parent) {
      reads |= readBy(conditionsIn({ ...around.state, states: {} }, chart))
      for (const { to } of edges.get(around.path) ?? []) addEdge(path, to)
    }
    live.set(path, reads)
    for (const child of entered(node)) addEdge(path, child.path)
  }
  const pending = [...states.keys()]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const own = live.get(path) ?? 0
    for (const from of before.get(path) ?? []) {
      const known = live.get(from) ?? 0
      if ((known | own) === known) continue
      live.set(from, known | own)
      pending.push(from)
    }
  }
  const all = 2 ** names.length - 1
  return (values, path) => {
    const mask = live.get(path) ?? all
    return mask === all
      ? values
      : values.map((value, index) => ((mask & (1 << index)) === 0 ? "any" : value))
  }
}

/** Returns the child states that XState enters together with a state. */
const entered = ({ state, children }: StateNode): readonly StateNode[] =>
  state.type === "parallel"
    ? children
    : children.filter(({ path }) => path.endsWith(`.${state.initial ?? ""}`))
