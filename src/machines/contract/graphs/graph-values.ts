import type { AgentChart } from "../agent-chart.js"
import type { GraphValues, NodeScope } from "../../data/node-scope.js"
import type { JsonObject } from "../../data/json-object.js"
import type { SessionState } from "../../data/session-state.js"
import { readKey } from "../../data/session-state.js"

/**
 * Session state key of the values, such as results, that a graph passes to the workflow of an adk
 * node. Because the values are part of the state, parallel branches and AgentTools can read them.
 * The key is hidden from users.
 */
const graphKey = "\u0000graph"

/**
 * Returns a session state entry that contains values of a graph, such as the results of its nodes.
 * The workflow of an adk node starts with this entry. The key of the entry is hidden from users.
 */
export const graphEntry = (scope: NodeScope): Readonly<Record<string, NodeScope>> => ({
  [graphKey]: scope,
})

/**
 * Returns the values that the templates of a model or tool request can read. These are the
 * workflow's `context` and, if a graph node runs the workflow, the graph's results and loop items.
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
