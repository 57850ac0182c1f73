import { counterOf } from "../graph/uncounted-cycles.js"
import type { StateGraph, StateNode } from "../graph/state-graph.js"

/**
 * Returns the maximum number of iterations of a loop. Returns Infinity if the loop has no maximum.
 */
export function maximumOf({ path, children }: StateNode, graph: StateGraph): number {
  const edges = children
    .flatMap((child) => graph.edges.get(child.path) ?? [])
    .filter(
      ({ transition }) => transition.actions?.some(({ type }) => type === "nextIteration") === true,
    )
  if (edges.length === 0) return 1
  return Math.max(
    ...edges
      .map((edge) => counterOf(edge))
      .map((counted) => (counted?.path === path ? counted.most : Number.POSITIVE_INFINITY)),
  )
}

/**
 * Returns the exit condition of a loop as source text, or null if the loop has none. `children` are
 * the states inside the loop.
 */
export const exitConditionOf = (children: readonly StateNode[]): string | null => {
  const check = children
    .flatMap(({ state }) => state.entry ?? [])
    .find(({ type }) => type === "checkExitCondition")
  return check === undefined ? null : String(check.params?.["condition"])
}
