import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartState } from "../../machines/contract/chart-machine.js"

/**
 * Returns the source texts of all conditions that are evaluated in a state or its nested states:
 * `when` conditions of agents, exit conditions of loops, and conditions that select a model.
 */
export function conditionsIn(
  { entry = [], meta, states = {} }: Pick<ChartState, "entry" | "meta" | "states">,
  chart: Pick<AgentChart, "agents">,
): readonly string[] {
  const own = entry.flatMap(({ type, params }) =>
    type === "checkWhen" || type === "checkExitCondition" ? [String(params?.["condition"])] : [],
  )
  return [
    ...own,
    ...(meta === undefined ? [] : routeConditions(meta.agent, chart)),
    ...Object.values(states).flatMap((inner) => conditionsIn(inner, chart)),
  ]
}

/**
 * Returns the `when` conditions of an agent's routes, which select the model of the agent. Returns
 * an empty list if the agent has no routes.
 */
function routeConditions(agent: string, { agents }: Pick<AgentChart, "agents">): readonly string[] {
  const definition = Object.hasOwn(agents, agent) ? agents[agent] : undefined
  return definition?.type === "LlmAgent" ? (definition.routes ?? []).map(({ when }) => when) : []
}
