import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { FlowState, FlowStep } from "./flow-state.js"
import { firstOf, sameState, union } from "./flow-state.js"
import type { Inflow, Outflow } from "./flow-turn.js"
import { earlyState } from "./outflow.js"

/**
 * Propagates tainted data (data from a source of the policy) through a workflow graph. A node
 * receives the outputs and the written keys of its predecessors. Only the first nodes receive the
 * history of the session.
 */
export function graphFlow(
  graph: ChartGraph,
  before: FlowState,
  given: Inflow,
  runNode: (node: ChartGraphNode, state: FlowState, input: Inflow) => Outflow,
): Outflow {
  const outputs: (Outflow | null)[] = graph.nodes.map(() => null)
  const nodes = graph.nodes.map((node) => ({
    node,
    predecessors: [] as number[],
    successors: [] as number[],
    isFirst: false,
  }))
  for (const { from, to } of graph.edges) {
    const target = nodes[to]
    if (target === undefined) continue
    if (from === -1) target.isFirst = true
    else target.predecessors.push(from)
    nodes[from]?.successors.push(to)
  }
  const changed = new Set(nodes.keys())
  // The loop also visits the nodes that are added to the set while it runs.
  for (const number of changed) {
    changed.delete(number)
    const entry = nodes[number]
    if (entry === undefined) continue
    const { node, predecessors, successors, isFirst } = entry
    let state: FlowState | null = isFirst ? before : null
    let input: FlowStep | null = null
    for (const from of predecessors) {
      const earlier = outputs[from]
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
    const old = outputs[number]
    if (
      old != null &&
      sameState(old.state, result.state) &&
      (old.text === null) === (result.text === null)
    )
      continue
    outputs[number] =
      old == null
        ? result
        : { state: union(old.state, result.state), text: firstOf(old.text, result.text) }
    for (const successor of successors) changed.add(successor)
  }
  const last = outputs.filter(
    (one, number) => one !== null && nodes[number]?.successors.length === 0,
  )
  const end = (last.length > 0 ? last : outputs)
    .filter((one) => one !== null)
    .reduce<Outflow>(
      (all, one) => ({ state: union(all.state, one.state), text: firstOf(all.text, one.text) }),
      { state: last.length > 0 ? (last[0]?.state ?? before) : before, text: null },
    )
  // A graph that fails or exits ends after any of its nodes.
  const early = outputs.reduce(
    (all, one) => (one === null ? all : union(all, earlyState(one))),
    before,
  )
  return { ...end, early }
}
