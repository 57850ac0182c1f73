import { explainContextLength } from "../model/context-length.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { modelsOf } from "../../machines/model-call/agent-models.js"
import type { ModelService } from "../../machines/contract/services.js"
import { CallFailedError } from "../../machines/contract/services.js"

/**
 * Creates scripted services for all models that a chart calls by name. Each call receives the next
 * scripted response for the calling agent. `posting` is a model service whose HTTP requests go to
 * the scripted service, as in the example. A scripted model has `signals: true` if the model with
 * the same name in `registered` has `signals: true`.
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
    async call(request, options) {
      const endpoint = { url: `http://llm.test/${request.agent}`, method: "POST" }
      try {
        return await posting.call({ ...request, endpoint }, options)
      } catch (error) {
        if (!(error instanceof CallFailedError)) throw error
        // Registered models report a conversation that is too long with a suggestion, so scripted
        // models do the same.
        throw new CallFailedError(explainContextLength(error.failure), { cause: error })
      }
    },
  }
  const names = Object.values(agents).flatMap(modelsOf)
  const hasSignals = (name: string): boolean =>
    Object.hasOwn(registered, name) && registered[name]?.signals === true
  return Object.fromEntries(
    names.map((name) => [name, hasSignals(name) ? { ...model, signals: true } : model]),
  )
}
