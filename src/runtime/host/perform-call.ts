import { AgentStatechartsError } from "../../errors.js"
import type { CallLimits } from "../../machines/activity.js"
import type { CallFailure, Envelope, HostRequest, ModelRequest, ModelService, ToolRequest, ToolService } from "../../machines/contract.js"
import { CallFailedError } from "../../machines/contract.js"
import { readModelAnswer } from "../../machines/model-answer.js"
import type { LeafSource } from "../../machines/chart-setup.js"
import type { Clock } from "../host.js"
import type { HostCode } from "./host-code.js"
import type { HostFunction } from "./host-function.js"

/** What calls are made with. */
export interface CallServices {
  /** Models by name, for agents with `model`. */
  readonly models?: Readonly<Record<string, ModelService>>
  /** Tools by id; they take the place of the tool's own `httpConfig`. */
  readonly tools?: Readonly<Record<string, ToolService>>
  /** Serves agents and tools by their `httpConfig`. */
  readonly http?: { readonly model: ModelService; readonly tool: ToolService }
  /** Host code by name: custom agents, callbacks, function tools, nodes, routers, policies. */
  readonly services?: Readonly<Record<string, HostFunction>>
  /** How long one attempt may take where the config does not say, in milliseconds; default five minutes. */
  readonly defaultTimeoutMs?: number
}

const fiveMinutes = 300_000

/**
 * Performs one leaf call and always resolves to an envelope, whatever the service does: errors become data, timeouts end
 * services that ignore their signal, and a model's answer is read and checked here, once for both interpreters.
 */
export async function performCall(
  src: LeafSource,
  input: unknown,
  services: CallServices,
  host: HostCode,
  clock: Clock,
  signal: AbortSignal,
): Promise<Envelope> {
  switch (src) {
    case "callHost": {
      const result = await host.run((input as { readonly request: HostRequest }).request, signal)
      return { ...result, at: clock.now() }
    }
    case "sleepUntil":
      await sleep((input as { readonly until: number }).until, clock, signal)
      return { ok: true, value: null, at: clock.now() }
    case "callModel": {
      const { request, refusal, ...limits } = input as { readonly request: ModelRequest; readonly refusal?: CallFailure } & CallLimits
      if (refusal !== undefined) return failed(refusal, clock)
      const service = modelServiceFor(request, services)
      if (service === null) return failed(missingModel(request), clock)
      const caller = { what: describe(`agent "${request.agent}"`, request), attempt: request.attempt, code: "model_call_failed" as const }
      const result = await attempt(caller, (inner) => service.call(request, inner), limits, services, clock, signal)
      if (!result.ok) return result
      const read = readModelAnswer(result.value)
      if (read.ok) return { ok: true, value: read.answer, at: result.at }
      return { ok: false, error: { ...read.failure, message: `${caller.what} (attempt ${caller.attempt}): ${read.failure.message}` }, at: result.at }
    }
    case "callTool": {
      const { request, ...limits } = input as { readonly request: ToolRequest } & CallLimits
      const service = own(services.tools, request.tool) ?? (request.endpoint === null ? undefined : services.http?.tool)
      if (service === undefined) return failed(missing(`tool "${request.tool}" has no service; register it under \`tools\``), clock)
      const caller = { what: describe(`tool "${request.tool}"`, request), attempt: request.attempt, code: "tool_call_failed" as const }
      return attempt(caller, (inner) => service.call(request, inner), limits, services, clock, signal)
    }
  }
}

/** An agent's own `httpConfig` goes before the name of a model. */
export function modelServiceFor({ endpoint, model }: Pick<ModelRequest, "model" | "endpoint">, services: CallServices): ModelService | null {
  if (endpoint !== null) return services.http?.model ?? null
  return model === null ? null : (own(services.models, model) ?? null)
}

/** Who calls whom, for messages. The URL stands as in the config: templates are not filled, so no secret shows. */
const describe = (subject: string, { endpoint }: Pick<ModelRequest, "endpoint">): string =>
  endpoint === null ? subject : `${subject}: ${endpoint.method} ${endpoint.url}`

interface Caller {
  readonly what: string
  readonly attempt: number
  readonly code: CallFailure["code"]
}

const own = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined

const missing = (message: string): CallFailure => ({ code: "service_missing", message, retryable: false })

const missingModel = ({ agent, model }: ModelRequest): CallFailure =>
  missing(model === null ? `agent "${agent}" has no model service` : `agent "${agent}" needs the model "${model}"; register it under \`models\``)

const failed = (error: CallFailure, clock: Clock): Envelope => ({ ok: false, error, at: clock.now() })

/** One attempt, ended by the earlier of its own timeout and the deadline of all attempts. */
async function attempt(
  { what, attempt: nth, code }: Caller,
  call: (signal: AbortSignal) => Promise<unknown>,
  { timeoutMs, deadline }: CallLimits,
  services: CallServices,
  clock: Clock,
  signal: AbortSignal,
): Promise<Envelope> {
  const allowed = timeoutMs ?? services.defaultTimeoutMs ?? fiveMinutes
  const now = clock.now()
  const endsAt = deadline === null ? now + allowed : Math.min(now + allowed, deadline)
  const total = deadline !== null && deadline <= now + allowed
  const controller = new AbortController()
  return new Promise((resolve) => {
    const settle = (envelope: Envelope): void => {
      disarm()
      signal.removeEventListener("abort", abort)
      resolve(envelope)
    }
    // Whoever stopped the call wants no result: this one only ends the waiting.
    const abort = (): void => {
      controller.abort(signal.reason)
      settle(failed({ code, message: `${what} was stopped`, retryable: false }, clock))
    }
    const disarm = clock.wakeAt(endsAt, () => {
      const which = total ? "scheduleToCloseTimeout, the time for all attempts," : timeoutMs === null ? "the default time limit" : "startToCloseTimeout"
      const message = `${what} gave no answer in time (attempt ${nth}): ${which} ended after ${endsAt - now} ms`
      settle(failed({ code: "service_timeout", message, retryable: true }, clock))
      controller.abort(new AgentStatechartsError("service_timeout", message))
    })
    signal.addEventListener("abort", abort, { once: true })
    if (signal.aborted) {
      abort()
      return
    }
    new Promise((run) => run(call(controller.signal))).then(
      (value) => settle({ ok: true, value, at: clock.now() }),
      (cause: unknown) => settle(failed(failureOf(cause, code), clock)),
    )
  })
}

/** What a service threw, as data. Only typed failures say whether another attempt may help. */
function failureOf(cause: unknown, code: CallFailure["code"]): CallFailure {
  if (cause instanceof CallFailedError) return cause.failure
  if (cause instanceof AgentStatechartsError) return { code: cause.code, message: cause.message, retryable: false }
  const message = cause instanceof Error ? cause.message : String(cause)
  return { code, message: `the service threw: ${message}`, retryable: false }
}

function sleep(until: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      signal.removeEventListener("abort", stop)
      resolve()
    }
    const disarm = clock.wakeAt(until, wake)
    const stop = (): void => {
      disarm()
      resolve()
    }
    signal.addEventListener("abort", stop, { once: true })
  })
}
