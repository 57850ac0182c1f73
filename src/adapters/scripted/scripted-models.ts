import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelService } from "../../machines/contract/services.js"

/**
 * Replaces the models that a chart calls by name by a script. `posting` must send requests to the
 * scripted service. Each call receives the next response in the script of the calling agent.
 *
 * @example
 * const http = createHttpServices({ dispatcher: service.dispatcher() })
 * createRunner({ http, models: scriptedModels(chart, http.model) })
 */
export function scriptedModels(
  { agents }: AgentChart,
  posting: ModelService,
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
  return Object.fromEntries(names.map((name) => [name, model]))
}
