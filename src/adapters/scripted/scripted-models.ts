import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelService } from "../../machines/contract/services.js"

/**
 * Replaces the models that a chart calls by name by a script. `posting` must send requests to the
 * scripted service. Each call receives the next response in the script of the calling agent. A
 * scripted model declares `signals` if the service in `registered` that it replaces does.
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
