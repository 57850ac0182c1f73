import type { HttpEndpoint, ModelRequest, ModelService } from "../../machines/contract/services.js"
import {
  createCallEndpoint,
  identityOf,
  type HttpServiceOptions,
} from "./endpoint/call-endpoint.js"
import { readJson } from "./client/read-json.js"

export interface HttpModelServiceOptions extends HttpServiceOptions {
  /**
   * Returns the HTTP endpoint of a model that agents refer to by name. Returns null if there is no
   * such model.
   */
  readonly endpointOf?: (request: ModelRequest) => HttpEndpoint | null
}

/**
 * Creates a service that calls models over HTTP (docs/semantics.md#model-calls). A request has an
 * `Idempotency-Key` header. Its body contains `messages`, `tools`, `state` and the body fields of
 * the endpoint. If a model is called by name, the body also contains this name as `model`. In the
 * adk dialect, it also contains `generationConfig` and `outputSchema` of the agent.
 *
 * A call resolves to the JSON of the response, in which secrets are masked. A failed call rejects
 * with `CallFailedError`. An aborted call rejects with the reason of its signal.
 */
export function createHttpModelService(options: HttpModelServiceOptions): ModelService {
  const callEndpoint = createCallEndpoint(options)
  return {
    async call(request, { signal }) {
      const { messages, tools, state, context, graph, model, generationConfig, outputSchema } =
        request
      const endpoint = request.endpoint ?? options.endpointOf?.(request) ?? null
      const caller = {
        subject: `agent "${request.agent}"`,
        failureCode: "model_call_failed",
      } as const
      const identity = { ...identityOf(request), endpoint }
      const { answer, mask, malformed } = await callEndpoint(
        identity,
        { state, context, ...graph },
        caller,
        (filled) => ({
          url: filled.url,
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            ...filled.headers,
          },
          body: JSON.stringify({
            ...(model !== null && { model }),
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
