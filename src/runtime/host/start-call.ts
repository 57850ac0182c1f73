import { AgentStatechartsError, wordsOf } from "../../errors.js"
import type { CallLimits } from "../../machines/activity.js"
import type { LeafSource } from "../../machines/chart-setup.js"
import type { CallFailure, Envelope, HostRequest, LiveAnswer, ModelRequest, ModelService, ToolRequest, ToolService } from "../../machines/contract.js"
import { CallFailedError } from "../../machines/contract.js"
import { readModelAnswer } from "../../machines/model-answer.js"
import { plainJson } from "../../machines/plain-json.js"
import type { Clock } from "../host.js"
import type { PriceOf } from "./price.js"
import { priced } from "./price.js"
import type { HostCode } from "./host-code.js"
import type { HostService } from "./host-service.js"

/** What calls are made with. */
export interface CallServices {
  /** Models by name, for agents with `model`. */
  readonly models?: Readonly<Record<string, ModelService>>
  /** Tools by id; they take the place of the tool's own `httpConfig`. */
  readonly tools?: Readonly<Record<string, ToolService>>
  /** Serves agents and tools by their `httpConfig`. */
  readonly http?: { readonly model: ModelService; readonly tool: ToolService }
  /** Host code by name: functions such as those of custom agents, toolsets, plugins. */
  readonly services?: Readonly<Record<string, HostService>>
  /** What a call has cost, from what the model says that it used; kept in the journal with the answer, where a budget has `maxCost`. */
  readonly priceOf?: PriceOf
  /** How long one attempt may take where the config does not say, in milliseconds; default five minutes. */
  readonly defaultTimeoutMs?: number
}

/** What carries out leaf calls, for either interpreter. */
export interface Caller {
  readonly services: CallServices
  readonly host: HostCode
  readonly clock: Clock
}

type Complete = (result: Envelope) => void

/**
 * Starts one leaf call and returns what stops it. It completes at most once, never before this has returned, and not at all
 * once it is stopped. Whatever a service does becomes data: errors and timeouts end as envelopes, and a model's answer is
 * read and checked here, once for both interpreters.
 */
export function startCall(src: LeafSource, input: unknown, caller: Caller, complete: Complete, live?: LiveAnswer): () => void {
  switch (src) {
    case "sleepUntil":
      return caller.clock.wakeAt((input as { readonly until: number }).until, () => complete({ ok: true, value: null, at: caller.clock.now() }))
    case "callHost": {
      const { request } = input as { readonly request: HostRequest }
      const stop = caller.host.run(request, (result) => complete({ ...result, at: caller.clock.now() }))
      return () => stop(stopped())
    }
    case "callModel": {
      const { request, refusal, ...limits } = input as { readonly request: ModelRequest; readonly refusal?: CallFailure } & CallLimits
      const service = modelServiceFor(request, caller.services)
      const refused = refusal ?? (service === null ? missingModel(request) : null)
      if (service === null || refused !== null) return failSoon(refused ?? missingModel(request), caller, complete)
      return attempt((signal, isOpen) => service.call(request, signal, whileOpen(live, isOpen)), { request, subject: "agent", id: request.agent, limits }, caller, (result) => {
        if (!result.ok) return complete(result)
        const read = readModelAnswer(result.value)
        if (read.ok) return complete(priced(read.answer, request, result.at, caller.services))
        const message = `${describe("agent", request.agent, request)} (attempt ${request.attempt}): ${read.failure.message}`
        return complete({ ok: false, error: { ...read.failure, message }, at: result.at })
      })
    }
    case "callTool": {
      const { request, ...limits } = input as { readonly request: ToolRequest } & CallLimits
      const service = own(caller.services.tools, request.tool) ?? (request.endpoint === null ? undefined : caller.services.http?.tool)
      if (service === undefined) return failSoon(missing(`tool "${request.tool}" has no service; register it under \`tools\``), caller, complete)
      return attempt((signal) => service.call(request, signal), { request, subject: "tool", id: request.tool, limits }, caller, (result) => {
        if (!result.ok) return complete(result)
        const plain = plainJson(result.value)
        if (plain.ok) return complete({ ...result, value: plain.value })
        const message = `${describe("tool", request.tool, request)} (attempt ${request.attempt}): the tool's answer is no JSON: ${plain.why}`
        return complete({ ok: false, error: { code: "service_answer_malformed", message, retryable: true }, at: result.at })
      })
    }
  }
}

/** An agent's own `httpConfig` goes before the name of a model. */
export function modelServiceFor({ endpoint, model }: Pick<ModelRequest, "model" | "endpoint">, services: CallServices): ModelService | null {
  if (endpoint !== null) return services.http?.model ?? null
  return model === null ? null : (own(services.models, model) ?? null)
}

const own = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined

const missing = (message: string): CallFailure => ({ code: "service_missing", message, retryable: false })

const missingModel = ({ agent, model }: ModelRequest): CallFailure =>
  missing(model === null ? `agent "${agent}" has no model service` : `agent "${agent}" needs the model "${model}"; register it under \`models\``)

const stopped = (): DOMException => new DOMException("the call was stopped", "AbortError")

function failSoon(error: CallFailure, { clock }: Caller, complete: Complete): () => void {
  let isStopped = false
  queueMicrotask(() => {
    if (!isStopped) complete({ ok: false, error, at: clock.now() })
  })
  return () => {
    isStopped = true
  }
}

/** Who calls whom, for messages. The URL stands as in the config: templates are not filled, so no secret shows. */
const describe = (subject: string, id: string, { endpoint }: Pick<ModelRequest, "endpoint">): string =>
  endpoint === null ? `${subject} "${id}"` : `${subject} "${id}": ${endpoint.method} ${endpoint.url}`

interface Attempted {
  readonly request: ModelRequest | ToolRequest
  readonly subject: "agent" | "tool"
  readonly id: string
  readonly limits: CallLimits
}

const fiveMinutes = 300_000

/** A call that was stopped or has timed out has nothing more to tell. */
const whileOpen = (live: LiveAnswer | undefined, isOpen: () => boolean): LiveAnswer | undefined =>
  live && {
    isHeard: () => isOpen() && live.isHeard(),
    tell: (text) => {
      if (isOpen() && text !== "") live.tell(text)
    },
  }

/** One attempt, ended by the earlier of its own timeout and the deadline of all attempts, also when the service ignores it. */
function attempt(call: (signal: AbortSignal, isOpen: () => boolean) => Promise<unknown>, attempted: Attempted, { services, clock }: Caller, complete: Complete): () => void {
  const { timeoutMs, deadline } = attempted.limits
  const allowed = timeoutMs ?? services.defaultTimeoutMs ?? fiveMinutes
  const now = clock.now()
  const endsAt = deadline === null ? now + allowed : Math.min(now + allowed, deadline)
  const controller = new AbortController()
  let isOver = false
  const end = (): boolean => {
    if (isOver) return false
    isOver = true
    disarm()
    return true
  }
  const disarm = clock.wakeAt(endsAt, () => {
    if (!end()) return
    const error = timeout(attempted, allowed, endsAt - now)
    controller.abort(new AgentStatechartsError(error.code, error.message))
    complete({ ok: false, error, at: clock.now() })
  })
  const succeed = (value: unknown): void => {
    if (end()) complete({ ok: true, value, at: clock.now() })
  }
  const fail = (cause: unknown): void => {
    if (end()) complete({ ok: false, error: failureOf(cause, attempted.subject), at: clock.now() })
  }
  try {
    Promise.resolve(call(controller.signal, () => !isOver)).then(succeed, fail)
  } catch (cause) {
    queueMicrotask(() => fail(cause))
  }
  return () => {
    if (end()) controller.abort(stopped())
  }
}

function timeout({ request, subject, id, limits }: Attempted, allowed: number, after: number): CallFailure {
  const ownLimit = limits.timeoutMs === null ? "the default time limit" : "startToCloseTimeout"
  const which = after < allowed ? "scheduleToCloseTimeout, the time for all attempts," : ownLimit
  const message = `${describe(subject, id, request)} gave no answer in time (attempt ${request.attempt}): ${which} ended after ${after} ms`
  return { code: "service_timeout", message, retryable: true }
}

/** What a service threw, as data. Only typed failures say whether another attempt may help. */
function failureOf(cause: unknown, subject: "agent" | "tool"): CallFailure {
  if (cause instanceof CallFailedError) return cause.failure
  if (cause instanceof AgentStatechartsError) return { code: cause.code, message: cause.message, retryable: false }
  return { code: subject === "agent" ? "model_call_failed" : "tool_call_failed", message: `the service threw: ${wordsOf(cause)}`, retryable: false }
}
