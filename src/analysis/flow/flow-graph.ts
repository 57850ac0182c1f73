import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { FlowState, FlowStep } from "./flow-state.js"
import { firstOf, samePlaces, union } from "./flow-state.js"
import type { Given, Left } from "./flow-turn.js"
import { earlyOf } from "./left-data.js"

/**
 * Propagates data through a workflow graph. A node receives the outputs and the written keys of the
 * nodes before it. Only the first nodes see the history of the session.
 */
export function graphFlow(
  graph: ChartGraph,
  before: FlowState,
  given: Given,
  runNode: (node: ChartGraphNode, state: FlowState, given: Given) => Left,
): Left {
  const left: (Left | null)[] = graph.nodes.map(() => null)
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [number, node] of graph.nodes.entries()) {
      const incoming = graph.edges.filter(({ to }) => to === number)
      const isFirst = incoming.some(({ from }) => from === -1)
      let state: FlowState | null = isFirst ? before : null
      let input: FlowStep | null = null
      for (const { from } of incoming) {
        const earlier = left[from]
        if (earlier == null) continue
        state = state === null ? earlier.state : union(state, earlier.state)
        input = firstOf(input, earlier.text)
      }
      if (state === null) continue
      const result = runNode(
        node,
        state,
        isFirst && input === null
          ? given
          : { input: { step: input }, seesHistory: isFirst && given.seesHistory },
      )
      const old = left[number]
      if (
        old == null ||
        !samePlaces(old.state, result.state) ||
        (old.text === null) !== (result.text === null)
      ) {
        left[number] =
          old == null
            ? result
            : { state: union(old.state, result.state), text: firstOf(old.text, result.text) }
        isChanged = true
      }
    }
  }
  const isLast = (number: number): boolean => graph.edges.every(({ from }) => from !== number)
  const last = left.filter((one, number) => one !== null && isLast(number))
  const end = (last.length > 0 ? last : left)
    .filter((one) => one !== null)
    .reduce<Left>(
      (all, one) => ({ state: union(all.state, one.state), text: firstOf(all.text, one.text) }),
      { state: last.length > 0 ? (last[0]?.state ?? before) : before, text: null },
    )
  // A graph that fails or exits ends after any of its nodes.
  const early = left.reduce((all, one) => (one === null ? all : union(all, earlyOf(one))), before)
  return { ...end, early }
}
