import type { HttpEndpoint, ModelRequest, ModelService } from "../../machines/contract/services.js"
import { createCallEndpoint, type HttpServiceOptions } from "./endpoint/call-endpoint.js"
import { readJson } from "./client/read-json.js"

export interface HttpModelServiceOptions extends HttpServiceOptions {
  /** Returns the endpoint of a model that agents reference by name. */
  readonly endpointOf?: (request: ModelRequest) => HttpEndpoint | null
}

/**
 * Calls a model over HTTP (docs/semantics.md#model-calls). Sends `messages`, `tools`, `state` and the
 * fields of the endpoint's body with an `Idempotency-Key`. Resolves with the JSON of the response,
 * with secrets masked.
 *
 * If the model is called by name, the body contains the name as `model`. In the adk dialect, it also
 * contains `generationConfig` and `outputSchema` if the agent has them. Rejects with
 * `CallFailedError`, or with the signal's reason if the signal aborts.
 */
export function createHttpModelService(options: HttpModelServiceOptions): ModelService {
  const callEndpoint = createCallEndpoint(options)
  return {
    async call(request, { signal }) {
      const { messages, tools, state, context, model, generationConfig, outputSchema } = request
      const endpoint = request.endpoint ?? options.endpointOf?.(request) ?? null
      const caller = {
        subject: `agent "${request.agent}"`,
        failureCode: "model_call_failed",
      } as const
      const { runId, agent, path, branch, idempotencyKey, attempt } = request
      const identity = { runId, agent, path, branch, idempotencyKey, attempt, endpoint }
      const { answer, mask, malformed } = await callEndpoint(
        identity,
        { state, context },
        caller,
        (filled) => ({
          url: filled.url,
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            ...filled.headers,
          },
          body: JSON.stringify({
            ...(model === null ? {} : { model }),
            ...filled.body,
            messages,
            tools,
            state,
            generationConfig,
            outputSchema,
          }),
        }),
        signal,
      )
      const json = readJson(answer.text)
      if (!json.ok) throw malformed(json.reason)
      return mask.value(json.value)
    },
  }
}
