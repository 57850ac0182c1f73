import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelService } from "../../machines/contract/services.js"

/**
 * Returns scripted services for all models that a chart calls by name. Each call receives the next
 * scripted response for the calling agent. `posting` must be a service that sends its requests to
 * the scripted service. A scripted model declares `signals` if the service in `registered` with the
 * same name declares them.
 *
 * @example
 * const http = createHttpServices({ dispatcher: service.dispatcher() })
 * createRunner({ http, models: scriptedModels(chart, http.model) })
 */
export function scriptedModels(
  { agents }: AgentChart,
  posting: ModelService,
  registered: Readonly<Record<string, ModelService>> = {},
): Readonly<Record<string, ModelService>> {
  const model: ModelService = {
    call: (request, options) =>
      posting.call(
        { ...request, endpoint: { url: `http://llm.test/${request.agent}`, method: "POST" } },
        options,
      ),
  }
  const names = Object.values(agents).flatMap((agent) =>
    agent.type === "LlmAgent" && agent.model !== null ? [agent.model] : [],
  )
  const hasSignals = (name: string): boolean =>
    Object.hasOwn(registered, name) && registered[name]?.signals === true
  return Object.fromEntries(
    names.map((name) => [name, hasSignals(name) ? { ...model, signals: true } : model]),
  )
}
