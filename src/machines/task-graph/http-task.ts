import { errorTypeOf, failedResult, resultOfFailure } from "./task-failure.js"
import type { Activity } from "../contract/activity.js"
import { outputOf, timeOf } from "../contract/machine-event.js"
import type { MachineKind, Step } from "../contract/machine-kind.js"
import type { NodeScope } from "../data/node-scope.js"
import type {
  NodeAnswer,
  NodeRequest,
  NodeResponse,
  NodeTask,
} from "../contract/graphs/node-service.js"
import type { CallFailure, Envelope } from "../contract/services.js"
import { limitsOf, nextAttemptAt } from "../model-call/retry-policy.js"
import type { TaskInput, TaskOutput, TaskResult, TaskSignal } from "./task-contract.js"
import { nodeScope, taskLocation } from "./task-contract.js"

/**
 * The XState config of a graph node that sends an HTTP request (docs/semantics.md#http-nodes). It
 * also validates the input, makes retries and polls, and evaluates conditions.
 */
export const httpTaskConfig = {
  id: "httpTask",
  initial: "starting",
  on: { "run.stopped": [{ target: "#httpTask.stopped", actions: [{ type: "stopTask" }] }] },
  states: {
    starting: { always: [{ target: "#httpTask.preparing" }] },
    preparing: {
      entry: [{ type: "checkInput" }],
      always: [
        { guard: { type: "isFailed" }, target: "#httpTask.failed" },
        { target: "#httpTask.calling" },
      ],
    },
    calling: {
      tags: ["http"],
      entry: [{ type: "sendRequest" }],
      on: {
        "xstate.done.actor.call": [
          { target: "#httpTask.deciding", actions: [{ type: "recordCall" }] },
        ],
      },
    },
    deciding: {
      always: [
        { guard: { type: "repeats" }, target: "#httpTask.backingOff" },
        { guard: { type: "isFailed" }, target: "#httpTask.failed" },
        { guard: { type: "hasConditions" }, target: "#httpTask.checking" },
        { target: "#httpTask.done" },
      ],
    },
    backingOff: {
      tags: ["backingOff"],
      entry: [{ type: "startPause" }],
      on: { "xstate.done.actor.pause": [{ target: "#httpTask.calling" }] },
    },
    checking: {
      entry: [{ type: "checkConditions" }],
      on: {
        "xstate.done.actor.check": [
          { target: "#httpTask.checked", actions: [{ type: "recordConditions" }] },
        ],
      },
    },
    checked: {
      always: [
        { guard: { type: "isFailed" }, target: "#httpTask.failed" },
        { target: "#httpTask.done" },
      ],
    },
    done: { type: "final", entry: [{ type: "finishTask", params: { signal: "executed" } }] },
    failed: { type: "final", entry: [{ type: "finishTask", params: { signal: "failed" } }] },
    stopped: { type: "final", entry: [{ type: "finishTask", params: { signal: "stopped" } }] },
  },
} as const

interface HttpTaskContext {
  readonly input: TaskInput
  readonly activity: Activity
  readonly scope: NodeScope
  at: number
  /** Number of the current attempt, including retries and polls. The first has the number 1. */
  attempt: number
  /** Number of the call in its idempotency key. Increases with each poll, but not with retries. */
  call: number
  /** Time of the next attempt, in ms since the epoch. null if the request is not repeated. */
  nextAt: number | null
  result: TaskResult | null
  terminates: boolean
  chosen: readonly boolean[]
  signal: TaskSignal
}

type Context = HttpTaskContext

/** Timeouts and retry settings of a node without `activityConfig`, which makes one attempt. */
const singleAttempt: Activity = {
  startToCloseMs: null,
  scheduleToCloseMs: null,
  maximumAttempts: 1,
  initialIntervalMs: 1000,
  backoffCoefficient: 2,
  maximumIntervalMs: null,
}

export const httpTaskKind: MachineKind<Context, TaskInput, TaskOutput> = {
  contextFrom: (input) => ({
    input,
    activity: input.task.activity ?? singleAttempt,
    scope: nodeScope(input.scope, input.handles),
    at: input.at,
    attempt: 1,
    call: 0,
    nextAt: null,
    result: null,
    terminates: false,
    chosen: [],
    signal: "stopped",
  }),

  guards: {
    isFailed: ({ result }) => result?.error !== undefined,
    repeats: ({ nextAt }) => nextAt !== null,
    hasConditions: ({ input: { task } }) => conditionsOf(task).conditions.length > 0,
  },

  updates: {
    checkInput: (context, _event, _params, step) => {
      const { task } = context.input
      const schema = task.validation?.input
      const violation = schema === undefined ? null : step.validate(schema, context.scope.results)
      if (violation !== null)
        context.result = resultOfFailure(
          "schema_violated",
          `the results do not match the schema validation.input of the node "${task.id}": ${violation}`,
        )
    },
    sendRequest: (context, _event, _params, step) => {
      const { task, handles } = context.input
      context.nextAt = null
      startCall(context, "call", task.endpoint ?? null, sendTask(task, handles), step)
    },
    recordCall: (context, event, _params, step) => {
      const envelope = outputOf<Envelope<NodeAnswer>>(event)
      context.at = envelope.at
      const answer = envelope.ok ? envelope.value : null
      const failure = envelope.ok ? envelope.value.failure : envelope.error
      if (failure !== undefined) recordFailure(context, failure, answer?.response, step)
      else if (answer !== null) recordAnswer(context, answer, step)
    },
    startPause: (context, _event, _params, step) =>
      step.start("pause", "sleepUntil", { until: context.nextAt ?? context.at }),
    checkConditions: (context, _event, _params, step) => {
      const { task } = context.input
      const { data, statusCode = 0, headers = {} } = context.result ?? { data: null }
      startCall(
        context,
        "check",
        null,
        { type: "check", ...conditionsOf(task), response: { data, statusCode, headers } },
        step,
      )
    },
    recordConditions: (context, event) => {
      const envelope = outputOf<Envelope<readonly boolean[]>>(event)
      context.at = envelope.at
      if (!envelope.ok) {
        const { message } = envelope.error
        const type = errorTypeOf(envelope.error)
        context.result = { ...(context.result ?? { data: null }), error: { message, type } }
        return
      }
      const ends = context.input.task.terminateWhen?.length ?? 0
      context.terminates = envelope.value.slice(0, ends).includes(true)
      context.chosen = envelope.value.slice(ends)
    },
    stopTask: (context, event) => {
      context.at = timeOf(event)
    },
    finishTask: (context, _event, params: { signal: TaskSignal }) => {
      context.signal = params.signal
    },
  },

  childInput: () => ({}),

  output: ({ signal, result, terminates, chosen, at }) => ({
    signal,
    result: signal === "stopped" ? null : result,
    terminates,
    chosen,
    text: null,
    at,
  }),

  pending: () => [],
}

type Task = TaskInput["task"]

/** Returns the conditions of a node that are evaluated after its request. */
const conditionsOf = ({ terminateWhen = [], continueTo = [] }: Task) => ({
  conditions: [...terminateWhen, ...continueTo.map(({ when }) => when)],
  ...(terminateWhen.length > 0 && { ending: terminateWhen.length }),
})

function sendTask(
  { endpoint, pollUntil, outputMapping }: Task,
  handles: TaskInput["handles"],
): NodeTask {
  const hasBody = !["GET", "HEAD"].includes(endpoint?.method ?? "")
  return {
    type: "send",
    ...(handles !== undefined && hasBody && { errorContext: handles }),
    ...(pollUntil !== undefined && { pollUntil }),
    ...(outputMapping !== undefined && { outputMapping }),
  }
}

function startCall(
  { input, scope, activity, attempt, call }: Context,
  child: string,
  endpoint: NodeRequest["endpoint"],
  task: NodeTask,
  step: Step,
): void {
  const { runId, path } = input
  const request: NodeRequest = {
    runId,
    ...taskLocation(input),
    idempotencyKey: `${runId}/${path}#${call}`,
    attempt,
    node: input.task.id,
    endpoint,
    scope,
    strict: input.task.strict === true,
    startedAt: input.at,
    task,
  }
  step.start(child, "callNode", { request, ...limitsOf(activity, input.at) })
}

/** Schedules the next attempt of a failed call, or stores the failure as the result. */
function recordFailure(
  context: Context,
  failure: CallFailure,
  response: NodeResponse | undefined,
  step: Step,
): void {
  const { activity, attempt, input, at } = context
  context.nextAt = nextAttemptAt(activity, attempt, input.at, failure, at)
  if (context.nextAt === null) {
    context.result = failedResult(failure, response)
    return
  }
  context.attempt = attempt + 1
  step.emit({
    type: "retry.scheduled",
    of: `${input.runId}/${input.path}#${context.call}`,
    attempt: context.attempt,
    until: context.nextAt,
    error: failure,
    ...taskLocation(input),
  })
}

function recordAnswer(context: Context, answer: NodeAnswer, step: Step): void {
  const { activity, attempt, input, at } = context
  const { response, mapped } = answer
  const { task } = input
  if (answer.polls === true) {
    const again: CallFailure = { code: "limit_reached", message: "", retryable: true }
    context.nextAt = nextAttemptAt(activity, attempt, input.at, again, at)
    context.attempt = attempt + 1
    context.call = context.call + 1
    if (context.nextAt !== null) return
    const message =
      attempt >= activity.maximumAttempts
        ? `the conditions pollUntil of the node "${task.id}" were not true after ${attempt} attempts`
        : `the conditions pollUntil of the node "${task.id}" were not true in time: scheduleToCloseTimeout has expired`
    context.result = resultOfFailure(
      attempt >= activity.maximumAttempts ? "poll_exhausted" : "timeout",
      message,
      response,
    )
    return
  }
  const result: TaskResult =
    mapped === undefined ? response : { ...response, data: mapped, _rawData: response.data }
  const schema = task.validation?.output
  const violation = schema === undefined ? null : step.validate(schema, result.data)
  context.result =
    violation === null
      ? result
      : resultOfFailure(
          "schema_violated",
          `the data of the node "${task.id}" does not match its schema validation.output: ${violation}`,
          result,
        )
}
