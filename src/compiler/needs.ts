import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { ServiceKind } from "./1-parse/context/service-declaration.js"

/**
 * A model or a host function that a runner must have under this name before a run of the chart can
 * start.
 */
export interface Need {
  readonly name: string
  readonly kind: ServiceKind
  /** The first agent in the chart that needs it. */
  readonly usedBy: string
}

/**
 * Returns all models and host functions that a chart needs by name, models first, each once.
 * Services with an `httpConfig` have no names and are not included.
 */
export function needsOf(chart: AgentChart): readonly Need[] {
  const models = new Map<string, Need>()
  for (const [usedBy, agent] of Object.entries(chart.agents)) {
    if (
      agent.type !== "LlmAgent" ||
      agent.model === null ||
      agent.endpoint !== null ||
      models.has(agent.model)
    )
      continue
    models.set(agent.model, { name: agent.model, kind: "model", usedBy })
  }
  const services = Object.entries(chart.services ?? {}).map(([name, { kind, usedBy }]): Need => ({
    name,
    kind,
    usedBy,
  }))
  const inner = [
    ...Object.values(chart.charts ?? {}),
    ...Object.values(chart.workflows ?? {}),
  ].flatMap(needsOf)
  const seen = new Set<string>()
  return [...models.values(), ...services, ...inner].filter(({ name, kind }) => {
    const key = `${kind} ${name}`
    return !seen.has(key) && seen.add(key)
  })
}
