import type { AgentChart } from "../agent-chart.js"
import type { GraphValues, NodeScope } from "../../data/node-scope.js"
import type { JsonObject } from "../../data/json-object.js"
import type { SessionState } from "../../data/session-state.js"
import { readKey } from "../../data/session-state.js"

/**
 * Hidden state key with the values of the graph around a workflow. Because the values are part of
 * the state, branches and AgentTools also have them. Users do not see hidden keys.
 */
const graphKey = "\u0000graph"

/** Returns the hidden state entry with the values of a graph. */
export const graphEntry = (scope: NodeScope): Readonly<Record<string, NodeScope>> => ({
  [graphKey]: scope,
})

/** Returns the context and the graph values that a request receives for its templates. */
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
