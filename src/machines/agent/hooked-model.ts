import { outputOf } from "../contract/machine-event.js"
import { nextModel } from "../model-call/fallback.js"
import { nextAttemptAt } from "../model-call/retry-policy.js"
import type { Activity } from "../contract/activity.js"
import type { Hooks } from "../contract/agent-definition.js"
import type { Envelope, HostChanges, ModelAnswer, ModelRequest } from "../contract/services.js"
import type { HookListInput, HookListOutput } from "../host-functions/hook-list.js"
import { readModelAnswer } from "../model-call/model-answer.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { applyPatch } from "../data/session-state.js"
import type { MachineKind } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"

/**
 * The XState config of a model call with callbacks (docs/semantics.md#callbacks). A `beforeModel`
 * callback can return a response, and the model is then not called. An `afterModel` callback can
 * replace the response. An `onModelError` callback can return a response after the last attempt has
 * failed. For the limits of the agent, the call and its callbacks are one model call.
 */
export const hookedModelConfig = {
  id: "hookedModel",
  initial: "preparing",
  states: {
    preparing: {
      always: [
        { guard: { type: "isFirstAttempt" }, target: "#hookedModel.beforeModel" },
        { target: "#hookedModel.callingModel" },
      ],
    },
    beforeModel: {
      invoke: {
        id: "hooks",
        src: "hookList",
        input: { hook: "beforeModel" },
        onDone: [
          {
            guard: { type: "threw" },
            target: "#hookedModel.done",
            actions: [{ type: "applyHooks" }],
          },
          {
            guard: { type: "answered" },
            target: "#hookedModel.done",
            actions: [{ type: "applyHooks" }],
          },
          { target: "#hookedModel.callingModel", actions: [{ type: "applyHooks" }] },
        ],
      },
    },
    callingModel: {
      invoke: {
        id: "model",
        src: "callModel",
        input: {},
        onDone: [
          {
            guard: { type: "responds" },
            target: "#hookedModel.afterModel",
            actions: [{ type: "keepResult" }],
          },
          {
            guard: { type: "failsFinally" },
            target: "#hookedModel.onModelError",
            actions: [{ type: "keepResult" }],
          },
          { target: "#hookedModel.done", actions: [{ type: "keepResult" }] },
        ],
      },
    },
    afterModel: {
      invoke: {
        id: "hooks",
        src: "hookList",
        input: { hook: "afterModel" },
        onDone: [{ target: "#hookedModel.done", actions: [{ type: "applyHooks" }] }],
      },
    },
    onModelError: {
      invoke: {
        id: "hooks",
        src: "hookList",
        input: { hook: "onModelError" },
        onDone: [{ target: "#hookedModel.done", actions: [{ type: "applyHooks" }] }],
      },
    },
    done: { type: "final" },
  },
} as const

export interface HookedModelInput {
  /** Input of the actor `callModel`, which calls the model. */
  readonly call: {
    readonly request: ModelRequest
    readonly refusal?: unknown
    readonly modelIndex?: number
    readonly holdsText?: true
  }
  readonly hooks: Hooks
  /**
   * Request fields that callbacks changed before the first attempt. null if there are no changes.
   */
  readonly changedRequest: JsonObject | null
  readonly state: SessionState
  readonly iteration: number | null
  readonly activity: Activity
  readonly startedAt: number
  readonly at: number
}

/**
 * The output of a model call with callbacks. It contains the response or the failure, the state
 * changes of the callbacks, and whether a callback escalated.
 */
export type HookedModelOutput = Envelope<ModelAnswer> & {
  readonly changed: readonly HostChanges[]
  readonly escalates: boolean
  /**
   * Request fields that callbacks changed. Later attempts of the call send the same changes. null
   * if there are no changes.
   */
  readonly changedRequest: JsonObject | null
}

interface HookedModelContext {
  readonly input: HookedModelInput
  at: number
  state: SessionState
  changed: readonly HostChanges[]
  escalates: boolean
  result: Envelope<ModelAnswer> | null
  /** Request fields that `beforeModel` callbacks have changed. null if there are no changes. */
  request: JsonObject | null
}

const hooksOutput = (event: MachineEvent): HookListOutput => outputOf(event)
const modelOutput = (event: MachineEvent): Envelope<ModelAnswer> => outputOf(event)

export const hookedModelKind: MachineKind<HookedModelContext, HookedModelInput, HookedModelOutput> =
  {
    contextFrom: (input) => ({
      input,
      at: input.at,
      state: input.state,
      changed: [],
      escalates: false,
      result: null,
      request: input.changedRequest,
    }),

    guards: {
      isFirstAttempt: (context) =>
        context.input.call.request.attempt === 1 && context.input.call.refusal === undefined,
      threw: (_, event) => hooksOutput(event).error !== null,
      answered: (_, event) => hooksOutput(event).answer !== null,
      responds: (_, event) => modelOutput(event).ok,
      failsFinally: ({ input }, event, _params, { chart }) => {
        const result = modelOutput(event)
        if (result.ok || result.error.code === "limit_reached") return false
        const attemptAt = nextAttemptAt(
          input.activity,
          input.call.request.attempt,
          input.startedAt,
          result.error,
          result.at,
        )
        if (attemptAt !== null) return false
        const { request, modelIndex = 0 } = input.call
        const definition = chart.agents[request.agent]
        const agent = definition?.type === "LlmAgent" ? definition : undefined
        return nextModel(agent, modelIndex, result.error) === null
      },
    },

    updates: {
      keepResult: (context, event) => {
        context.result = modelOutput(event)
        context.at = context.result.at
      },
      applyHooks: (context, event) => {
        const { answer, request, changed, escalates, error, at } = hooksOutput(event)
        context.request = request ?? context.request
        context.at = at
        context.escalates = context.escalates || escalates
        context.changed = [...context.changed, ...changed]
        context.state = changed.reduce(applyPatch, context.state)
        if (error !== null)
          context.result = {
            ok: false,
            error: { code: error.code, message: error.message, retryable: false },
            at,
          }
        else if (answer !== null) context.result = envelopeOf(answer, at)
      },
    },

    childInput(context, src, config): unknown {
      const { call, hooks, iteration } = context.input
      if (src === "callModel") return changedCall(context)
      const hook = config["hook"] as "beforeModel" | "afterModel" | "onModelError"
      const { runId, agent, path, branch, idempotencyKey, attempt } = call.request
      const input: HookListInput = {
        runId,
        agent,
        branch,
        path: `${path}/${hook}#${idempotencyKey.slice(idempotencyKey.lastIndexOf("#") + 1)}.${attempt}`,
        services: hooks[hook] ?? [],
        input: { hook, ...hookDetails(hook, context) },
        state: context.state,
        iteration,
        at: context.at,
      }
      return input
    },

    output: ({ result, changed, escalates, request, at }) => ({
      ...(result ?? endedCall(at)),
      changed,
      escalates,
      changedRequest: request,
    }),

    pending: () => [],
  }

/**
 * Returns the failure of a model call that was stopped before it received a response or an error.
 */
export const endedCall = (at: number): Envelope<ModelAnswer> => ({
  ok: false,
  error: {
    code: "internal",
    message: "the model call ended without a response or an error",
    retryable: false,
  },
  at,
})

/**
 * Returns the input of the actor `callModel`. If a callback has changed the messages or the tools,
 * the request contains the changed values. Its other fields do not change.
 */
function changedCall({ input: { call }, request }: HookedModelContext): unknown {
  if (request === null) return call
  const { messages = call.request.messages, tools = call.request.tools } = request
  return { ...call, request: { ...call.request, messages, tools } }
}

function hookDetails(
  hook: "beforeModel" | "afterModel" | "onModelError",
  { input, result }: HookedModelContext,
): Readonly<Record<string, unknown>> {
  const { messages, tools, model } = input.call.request
  if (hook === "beforeModel") return { request: { messages, tools, model } }
  if (result === null) return {}
  return result.ok ? { answer: result.value } : { error: result.error }
}

function envelopeOf(raw: unknown, at: number): Envelope<ModelAnswer> {
  const read = readModelAnswer(raw)
  return read.ok
    ? { ok: true, value: read.answer, at }
    : { ok: false, error: { ...read.failure, retryable: false }, at }
}
