import { mapValues } from "../../machines/data/map-values.js"
import { AgentStatechartsError } from "../../errors.js"
import type { CallFailure, ModelService, ToolService } from "../../machines/contract/services.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { CallServices } from "../../runtime/index.js"
import { modelCassetteRequest, toolCassetteRequest, maskOf } from "./cassette-request.js"
import type { Cassette, CassetteEntry, CassetteRequest } from "./cassette.js"

type Services = Pick<CallServices, "models" | "tools" | "http">

export interface CassetteRecorder {
  /**
   * The services to pass to `createRunner`. They call the original services and record each call.
   */
  readonly services: Services
  /** Returns a cassette with all calls that were recorded so far. */
  cassette(): Cassette
}

/**
 * Wraps services so that the requests and responses of models and tools are recorded as a cassette.
 * Secrets of `httpConfig` are never recorded. Endpoints are omitted, and secrets in responses are
 * masked. To mask other values, for example values of the session state, pass them in `mask`.
 *
 * @example
 * const recorder = recordCassette({ http: createHttpServices() })
 * await createRunner(recorder.services).start(chart).result
 * await writeFile("cassette.json", JSON.stringify(recorder.cassette()))
 */
export function recordCassette(
  { models, tools, http }: Services,
  { mask = [] }: { readonly mask?: readonly string[] } = {},
): CassetteRecorder {
  const entries: CassetteEntry[] = []
  const hide = maskOf(mask)
  const record = async (
    asked: CassetteRequest,
    signal: AbortSignal,
    call: () => Promise<unknown>,
    declared: { readonly signals?: true } = {},
  ): Promise<unknown> => {
    let isRecorded = false
    const add = (
      outcome:
        | { readonly ok: true; readonly answer: unknown; readonly signals?: true }
        | { readonly ok: false; readonly failure: CallFailure },
    ): void => {
      if (isRecorded) return
      isRecorded = true
      const masked = hide(JSON.parse(JSON.stringify(outcome)) as typeof outcome) as typeof outcome
      entries.push({ ...asked, ...masked })
    }
    // An aborted call is not recorded, because it has no result. A timeout is recorded as a
    // failure, even if the service never responds.
    const stopped = (): void => {
      const failure = timeoutOf(signal.reason)
      if (failure === null) isRecorded = true
      else add({ ok: false, failure })
    }
    signal.addEventListener("abort", stopped, { once: true })
    try {
      const answer = await call()
      add({ ok: true, answer: answer ?? null, ...declared })
      return answer
    } catch (error) {
      add({ ok: false, failure: failureOf(error, asked) })
      throw error
    } finally {
      signal.removeEventListener("abort", stopped)
    }
  }
  const model = (service: ModelService): ModelService => {
    const declared = service.signals === true ? ({ signals: true } as const) : {}
    return {
      ...declared,
      call: (request, options) =>
        record(
          modelCassetteRequest(request, hide),
          options.signal,
          () => service.call(request, options),
          declared,
        ),
    }
  }
  const tool = (service: ToolService): ToolService => ({
    call: (request, options) =>
      record(toolCassetteRequest(request, hide), options.signal, () =>
        service.call(request, options),
      ),
  })
  return {
    services: {
      ...(models !== undefined && { models: mapValues(models, model) }),
      ...(tools !== undefined && { tools: mapValues(tools, tool) }),
      ...(http !== undefined && { http: { model: model(http.model), tool: tool(http.tool) } }),
    },
    cassette: () => ({ format: 1, entries: [...entries] }),
  }
}

const timeoutOf = (reason: unknown): CallFailure | null =>
  reason instanceof AgentStatechartsError && reason.code === "service_timeout"
    ? { code: reason.code, message: reason.message, retryable: true }
    : null

function failureOf(error: unknown, { kind }: CassetteRequest): CallFailure {
  if (error instanceof CallFailedError) return error.failure
  const message = error instanceof Error ? error.message : String(error)
  const code =
    error instanceof AgentStatechartsError
      ? error.code
      : kind === "model"
        ? "model_call_failed"
        : "tool_call_failed"
  return { code, message, retryable: false }
}
