import type { LeafSource } from "../../machines/registry/leaf-sources.js"
import type { NodeRequest } from "../../machines/contract/graphs/node-service.js"
import type {
  CallFailure,
  Envelope,
  HostRequest,
  ModelAnswer,
  ModelRequest,
  ModelService,
  ToolRequest,
} from "../../machines/contract/services.js"
import type { WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import type { ModelCall } from "../../machines/model-call/model-call-input.js"
import { readModelAnswer } from "../../machines/model-call/model-answer.js"
import { attemptText } from "../../machines/data/attempt-text.js"
import { plainJson } from "../../machines/data/plain-json.js"
import { isHelper } from "../../machines/model-call/helper-agents.js"
import type { DeltaSink } from "../driver/host.js"
import type { CallInput, CallKind } from "./attempt.js"
import { Attempt, describeCall, callStopped } from "./attempt.js"
import type { Caller, CallServices } from "./call-services.js"
import { modelServiceFor, serviceNamed } from "./call-services.js"
import { startCachedCall } from "./response-cache/cached-call.js"
import { priced } from "./price.js"

type Complete = (result: Envelope) => void

const modelCall: CallKind<ModelRequest> = {
  subject: "agent",
  id: ({ agent }) => agent,
  read: readAnswer,
}

/**
 * Calls of model services with `signals: true`, whose responses can contain signals such as
 * `exitFlow`. The setting is recorded, so that a replay treats signals in the same way.
 */
const signalingModelCall: CallKind<ModelRequest> = {
  ...modelCall,
  read(value, request, at, caller) {
    const result = readAnswer(value, request, at, caller)
    return result.ok ? { ...result, value: { ...result.value, signals: true } } : result
  },
}

function readAnswer(
  value: unknown,
  request: ModelRequest,
  at: number,
  { services }: Caller,
): Envelope<ModelAnswer> {
  const read = readModelAnswer(value)
  if (read.ok) return priced(read.answer, request, at, services)
  const message = `${describeCall(modelCall, request)} (${attemptText(request)}): ${read.failure.message}`
  return { ok: false, error: { ...read.failure, message }, at }
}

const toolCall: CallKind<ToolRequest> = {
  subject: "tool",
  id: ({ tool }) => tool,
  read: (value, request, at) => readJson(value, request, at, toolCall),
}

const nodeCall: CallKind<NodeRequest> = {
  subject: "node",
  id: ({ node }) => node,
  read: (value, request, at) => readJson(value, request, at, nodeCall),
}

function readJson<Request extends ToolRequest | NodeRequest>(
  value: unknown,
  request: Request,
  at: number,
  kind: CallKind<Request>,
): Envelope {
  const plain = plainJson(value)
  if (plain.ok) return { ok: true, value: plain.value, at }
  const message = `${describeCall(kind, request)} (${attemptText(request)}): the result of the ${kind.subject} is not JSON: ${plain.why}`
  return { ok: false, error: { code: "service_answer_malformed", message, retryable: true }, at }
}

/**
 * Starts an external call (such as a model call) and returns a function that stops it. If the call
 * has a recorded result, it completes with this result. `complete` is called at most once, and
 * never before `startCall` has returned or after the call was stopped. If the service fails,
 * `complete` receives the error as a failed result.
 */
export function startCall(
  src: LeafSource,
  input: unknown,
  caller: Caller,
  complete: Complete,
  deltas?: DeltaSink,
): () => void {
  const { recorded } = caller.services
  return recorded === undefined
    ? makeCall(src, input, caller, complete, deltas)
    : recorded.start(src, input, complete, (own, made) => makeCall(src, own, caller, made, deltas))
}

function makeCall(
  src: LeafSource,
  input: unknown,
  caller: Caller,
  complete: Complete,
  deltas: DeltaSink | undefined,
): () => void {
  switch (src) {
    case "sleepUntil":
      return sleep(input as Sleep, caller, complete)
    case "callHost":
      return callHost((input as { readonly request: HostRequest }).request, caller, complete)
    case "callWorkflow":
      return startChildRun(
        (input as { readonly request: WorkflowRequest }).request,
        caller,
        complete,
        deltas,
      )
    case "callModel":
      return startModelCall(input as ModelCallInput, caller, complete, deltas)
    case "callNode": {
      const service = caller.services.http?.node
      return service === undefined
        ? failSoon(
            missing("the nodes of a graph need an HTTP service; pass http"),
            caller,
            complete,
          )
        : new Attempt(nodeCall, input as CallInput<NodeRequest>, caller, complete, undefined).start(
            service,
          )
    }
    case "callTool": {
      const call = input as CallInput<ToolRequest>
      const { tool, endpoint } = call.request
      const service =
        serviceNamed(caller.services.tools, tool) ??
        (endpoint === null ? undefined : caller.services.http?.tool)
      if (service === undefined)
        return failSoon(
          missing(`tool "${tool}" has no service; register it under \`tools\``),
          caller,
          complete,
        )
      return new Attempt(toolCall, call, caller, complete, undefined).start(service)
    }
  }
}

/**
 * Input of a pause. `until` is its end in milliseconds since the epoch. `waits` is the path of the
 * WaitAgent that waits until then. It is missing for other pauses.
 */
interface Sleep {
  readonly until: number
  readonly waits?: string
}

function sleep(
  { until, waits }: Sleep,
  { clock, services }: Caller,
  complete: Complete,
): () => void {
  const isSkipped = services.skipWaits === true && waits !== undefined
  return clock.wakeAt(isSkipped ? clock.now() : until, () =>
    complete({ ok: true, value: null, at: clock.now() }),
  )
}

function callHost(
  request: HostRequest,
  { host, clock, session = null }: Caller,
  complete: Complete,
): () => void {
  const stop = host.run(request, session, (result) => complete({ at: clock.now(), ...result }))
  return () => stop(callStopped())
}

function startChildRun(
  request: WorkflowRequest,
  caller: Caller,
  complete: Complete,
  deltas: DeltaSink | undefined,
): () => void {
  return caller.children === undefined
    ? failSoon(noCalledRuns(request), caller, complete)
    : caller.children.call(
        request,
        (result) => complete({ at: caller.clock.now(), ...result }),
        deltas && ((text) => deltas.emit(request, text)),
      )
}

type ModelCallInput = CallInput<ModelRequest> & Pick<ModelCall, "refusal" | "holdsText" | "cacheMs">

function startModelCall(
  input: ModelCallInput,
  caller: Caller,
  complete: Complete,
  deltas: DeltaSink | undefined,
): () => void {
  const call = withDefaultModel(input, caller.services)
  const service = modelServiceFor(call.request, caller.services)
  if (call.refusal !== undefined) return failSoon(call.refusal, caller, complete)
  if (service === null) return failSoon(missingModel(call.request), caller, complete)
  return call.cacheMs === undefined && caller.services.modelLimits === undefined
    ? attemptModelCall(service, call, caller, complete, deltas)
    : startSharedModelCall(service, call, caller, complete, deltas)
}

function attemptModelCall(
  service: ModelService,
  call: ModelCallInput,
  caller: Caller,
  complete: Complete,
  deltas: DeltaSink | undefined,
): () => void {
  const kind = service.signals === true ? signalingModelCall : modelCall
  const live = isHelper(call.request.agent) || call.holdsText === true ? undefined : deltas
  return new Attempt(kind, call, caller, complete, live).start(service)
}

/**
 * Starts a model call that uses a response cache or the limits of its model. This is a separate
 * function, so that other calls do not create its closures.
 */
function startSharedModelCall(
  service: ModelService,
  call: ModelCallInput,
  caller: Caller,
  complete: Complete,
  deltas: DeltaSink | undefined,
): () => void {
  const { responseCache, modelLimits } = caller.services
  const { clock } = caller
  const { request, cacheMs, deadline } = call
  const { model, endpoint, runId, agent } = request
  const attempt = (done: Complete): (() => void) =>
    attemptModelCall(service, call, caller, done, deltas)
  const start = (done: Complete): (() => void) =>
    modelLimits === undefined
      ? attempt(done)
      : modelLimits.start(endpoint?.url ?? model ?? "", {
          runId,
          agent,
          deadline,
          clock,
          start: attempt,
          complete: done,
          waits: (wait) => deltas?.waits(request, wait),
        })
  return responseCache === undefined || responseCache === null || cacheMs === undefined
    ? start(complete)
    : startCachedCall(responseCache, { request, cacheMs, clock, start, complete })
}

/**
 * Returns the input of a model call. Adds the name of the default model if the agent has neither a
 * model nor an `httpConfig`.
 */
function withDefaultModel(input: ModelCallInput, { defaultModel }: CallServices): ModelCallInput {
  const { request } = input
  return request.model !== null || request.endpoint !== null || defaultModel === undefined
    ? input
    : { ...input, request: { ...request, model: defaultModel } }
}

const noCalledRuns = ({ agent, workflow, remote }: WorkflowRequest): CallFailure => ({
  code: "workflow_calls_unsupported",
  message: `agent "${agent}" calls the ${remote === undefined ? "workflow" : "remote agent"} "${workflow}", but engines cannot execute ${remote === undefined ? "child runs" : "remote agents"}; use createRunner with a journal`,
  retryable: false,
})

const missing = (message: string): CallFailure => ({
  code: "service_missing",
  message,
  retryable: false,
})

const missingModel = ({ agent, model }: ModelRequest): CallFailure =>
  missing(
    model === null
      ? `agent "${agent}" has no model, and the runner has no \`defaultModel\`; set one of them`
      : `agent "${agent}" needs the model "${model}"; register it in the options of the runner: { models: { ${JSON.stringify(model)}: openAiModel({ baseUrl }) } }`,
  )

/**
 * Completes a call with an error in a microtask. Returns a function that stops the call, so that it
 * never completes.
 */
function failSoon(error: CallFailure, { clock }: Caller, complete: Complete): () => void {
  let isStopped = false
  queueMicrotask(() => {
    if (!isStopped) complete({ ok: false, error, at: clock.now() })
  })
  return () => {
    isStopped = true
  }
}
