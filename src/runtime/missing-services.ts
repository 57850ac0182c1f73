import type { AgentChart } from "../machines/agent-chart.js"
import type { RunError } from "../machines/run-event.js"
import type { CallServices } from "./host/start-call.js"
import { modelServiceFor } from "./host/start-call.js"

/** A run whose services are incomplete fails before its first call (SPEC section 12): the error names all that is missing. */
export function missingServices(chart: AgentChart, services: CallServices): RunError | null {
  const missing: string[] = []
  for (const [id, agent] of Object.entries(chart.agents)) {
    if (agent.type !== "LlmAgent" || modelServiceFor(agent, services) !== null) continue
    missing.push(agent.model === null ? `agent "${id}" needs a model or an HTTP service` : `agent "${id}" needs the model "${agent.model}"`)
  }
  for (const [id, tool] of Object.entries(chart.tools)) {
    if (tool.type !== "HttpTool" || services.http !== undefined || Object.hasOwn(services.tools ?? {}, id)) continue
    missing.push(`tool "${id}" needs an HTTP service`)
  }
  for (const [name, { usedBy }] of Object.entries(chart.services ?? {})) {
    if (!Object.hasOwn(services.services ?? {}, name)) missing.push(`agent "${usedBy}" needs the service "${name}"`)
  }
  if (missing.length === 0) return null
  return { code: "service_missing", agent: null, message: `services are missing: ${missing.join("; ")}` }
}
