import type { AgentChart } from "../agent-chart.js"
import type { GraphValues, NodeScope } from "../../data/node-scope.js"
import type { JsonObject } from "../../data/json-object.js"
import type { SessionState } from "../../data/session-state.js"
import { readKey } from "../../data/session-state.js"

/**
 * Session state key under which a graph passes its results to the workflow of an adk node. Because
 * the values are part of the state, parallel branches and AgentTools can read them. The key is
 * hidden from users.
 */
const graphKey = "\u0000graph"

/**
 * Returns the state entry with which a graph passes its values to the workflow of an adk node. The
 * key of the entry is hidden from users.
 */
export const graphEntry = (scope: NodeScope): Readonly<Record<string, NodeScope>> => ({
  [graphKey]: scope,
})

/**
 * Returns the values that the templates of a model or tool request can read: the `context` and, in
 * the workflow of a graph node, the values of the graph.
 */
export function templateValues(
  chart: AgentChart,
  state: SessionState,
): { readonly context: JsonObject; readonly graph?: GraphValues } {
  if (chart.node === undefined) return { context: chart.context }
  // Only `graphEntry` writes this key.
  const scope = readKey(state, graphKey) as NodeScope | undefined
  if (scope === undefined) return { context: chart.context }
  const { context, ...graph } = scope
  return { context, graph }
}
