import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartGraph } from "../../machines/contract/chart-graph.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"

const statesOf = ({ machines }: AgentChart): readonly ChartState[] => {
  const found: ChartState[] = []
  const visit = (state: ChartState): void => {
    found.push(state)
    Object.values(state.states ?? {}).forEach(visit)
  }
  for (const { states } of Object.values(machines)) Object.values(states).forEach(visit)
  return found
}

/**
 * Returns the ids of the sub-agents that a custom agent can run. `service` is the name of its host
 * function.
 */
export const subAgentsOf = (chart: AgentChart, service: string): readonly string[] =>
  statesOf(chart).flatMap(({ invoke }) =>
    invoke?.src === "hostCode" && invoke.input["service"] === service
      ? // The compiler writes the names of the sub-agents here.
        ((invoke.input["agents"] ?? []) as readonly string[])
      : [],
  )

/**
 * Returns the routes that the host function of a router node can return. If the policy file does
 * not declare them, returns the routes on the edges of the node.
 */
export function routesFrom(
  chart: AgentChart,
  node: string,
  declared: readonly string[] | null,
): readonly string[] {
  if (declared !== null) return declared
  const graphs: ChartGraph[] = []
  const visit = (graph: ChartGraph): void => {
    graphs.push(graph)
    for (const { graph: inner } of graph.nodes) if (inner !== undefined) visit(inner)
  }
  for (const { invoke } of statesOf(chart))
    // The machine `workflowGraph` expects its input in this shape.
    if (invoke?.input["graph"] !== undefined) visit(invoke.input["graph"] as ChartGraph)
  return graphs.flatMap(({ nodes, edges }) =>
    edges.flatMap(({ from, route }) => (nodes[from]?.id === node ? (route ?? []) : [])),
  )
}
