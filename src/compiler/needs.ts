import type { AgentChart } from "../machines/contract/agent-chart.js"
import { modelsOf } from "../machines/model-call/agent-models.js"
import type { ServiceKind } from "./1-parse/context/service-declaration.js"

/**
 * A model or a host function that a chart uses by name. It must be registered with the runner
 * before a run of the chart can start.
 */
export interface Need {
  readonly name: string
  readonly kind: ServiceKind
  /** Id of the first agent in the chart that uses the model or host function. */
  readonly usedBy: string
}

/**
 * Returns all models and host functions that a chart and its inner charts use by name. The models
 * of the chart come first, then its host functions, then the results for the inner charts. Each
 * name occurs only once for each kind, such as `model`. Services with an `httpConfig` are not
 * included, because they have no names.
 */
export function needsOf(chart: AgentChart): readonly Need[] {
  const models = new Map<string, Need>()
  for (const [usedBy, agent] of Object.entries(chart.agents)) {
    if (agent.type !== "LlmAgent" || agent.endpoint !== null) continue
    for (const name of modelsOf(agent))
      if (!models.has(name)) models.set(name, { name, kind: "model", usedBy })
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
