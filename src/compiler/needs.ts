import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { ServiceKind } from "./1-parse/context/service-declaration.js"

/** Something that a runner has to have under this name before a run of the chart can start. */
export interface Need {
  readonly name: string
  readonly kind: ServiceKind
  /** The first agent that needs it. */
  readonly usedBy: string
}

/** Every name that a chart needs: models, then host code, each once. Services that are reached by `httpConfig` have no names. */
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
  return [...models.values(), ...services]
}
