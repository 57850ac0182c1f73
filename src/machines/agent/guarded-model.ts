import type { Guardrail } from "../contract/guardrails/guardrails.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { doneIndexOf, outputOf } from "../contract/machine-event.js"
import type { MachineKind, Step } from "../contract/machine-kind.js"
import type { Envelope, HostChanges, Message, ModelAnswer } from "../contract/services.js"
import { emptyAnswer } from "../model-call/empty-answer.js"
import type { JsonObject } from "../data/json-object.js"
import { applyPatch } from "../data/session-state.js"
import type { GuardrailInput, GuardrailOutput } from "../guardrails/guardrail.js"
import { effectOf, type GuardrailEffect } from "../guardrails/guardrail-effect.js"
import { alternativeNameAt } from "../model-call/agent-models.js"
import { isBlank } from "../model-call/structured-output.js"
import { endedCall, type HookedModelInput, type HookedModelOutput } from "./hooked-model.js"

export interface GuardedModelInput {
  readonly model: HookedModelInput
  /**
   * Result that an input guardrail has set before the call. If it is not null, it is used as the
   * response, and the model is not called.
   */
  readonly instead: Envelope<ModelAnswer> | null
  /** Input guardrails that run at the same time as the model call. */
  readonly beside: readonly Guardrail[]
  /** Guardrails that check the text of the response. */
  readonly output: readonly Guardrail[]
  /** The input of the agent as text, which the input guardrails check. */
  readonly text: string
  readonly conversation: readonly Message[]
  /**
   * Sequence number of the model call among the calls at the agent's path, starting at 0. The
   * idempotency keys of the guardrails contain it.
   */
  readonly number: number
}

/**
 * A response that an output guardrail with `onTrip: "repair"` rejected. The model is called again
 * with the reason.
 */
export interface Repair {
  readonly guardrail: string
  readonly reason: string | null
}

export type GuardedModelOutput = HookedModelOutput & {
  /**
   * Whether all input guardrails that run at the same time as the model call have accepted the
   * input.
   */
  readonly isInputChecked: boolean
  readonly repair: Repair | null
}

interface GuardedModelContext {
  readonly input: GuardedModelInput
  at: number
  /** The result of the model call. null until the model has responded. */
  result: HookedModelOutput | null
  /** Result that a guardrail has set to replace the model's response, or null. */
  decided: Envelope<ModelAnswer> | null
  changed: readonly HostChanges[]
  /** Number of input guardrails that are still running at the same time as the model call. */
  open: number
  /**
   * Index in `input.output` of the output guardrail that runs next. After the last guardrail,
   * equals the length of the list.
   */
  next: number
  repair: Repair | null
}

type Context = GuardedModelContext

const childPrefix = "guardrail."

/**
 * Returns the text of the model's response, for the output guardrails. Returns null if there is
 * nothing to check, for example because the response calls tools.
 */
function checkedText({ result, input }: Context): string | null {
  if (input.output.length === 0 || result === null || !result.ok) return null
  const { content, toolCalls, hitlRequest } = result.value
  return toolCalls.length > 0 || hitlRequest !== null || isBlank(content) ? null : content
}

/**
 * Emits the token usage of a model response that is discarded because of a guardrail, so that its
 * tokens are counted.
 */
function reportUnused({ result, input }: Context, step: Step): void {
  if (result === null || !result.ok || result.value.usage === null) return
  const { request, modelIndex = 0 } = input.model.call
  const { agent, path, branch, idempotencyKey: call } = request
  const definition = step.chart.agents[agent]
  const model = definition?.type === "LlmAgent" ? alternativeNameAt(definition, modelIndex) : null
  step.emit({
    type: "model.responded",
    call,
    answer: { ...emptyAnswer, usage: result.value.usage },
    agent,
    path,
    branch,
    ...(model !== null && { model }),
  })
}

function inputOf(
  { input, result, at, changed }: Context,
  guardrail: Guardrail,
  on: "input" | "output",
): GuardrailInput {
  const { request } = input.model.call
  const { runId, agent, path, branch } = request
  const state = [...(result?.changed ?? []), ...changed].reduce(applyPatch, input.model.state)
  const { text, conversation: messages, number } = input
  const common = { runId, agent, path, branch, guardrail, on, messages, number, state, at }
  const content = on === "input" || result === null || !result.ok ? text : result.value.content
  return { ...common, text: content ?? "", iteration: input.model.iteration }
}

const effectOn = (
  { input }: Context,
  guardrail: Guardrail,
  on: "input" | "output",
  event: MachineEvent,
): GuardrailEffect =>
  effectOf(
    { agent: input.model.call.request.agent, guardrail, on },
    outputOf<GuardrailOutput>(event),
  )

/** Returns how the turn continues after the output guardrail that has just finished. */
function outputEffect(context: Context, event: MachineEvent): GuardrailEffect {
  const guardrail = context.input.output[context.next]
  return guardrail === undefined
    ? { type: "continue" }
    : effectOn(context, guardrail, "output", event)
}

function applyChanges(context: Context, event: MachineEvent): void {
  const { changed, at } = outputOf<GuardrailOutput>(event)
  context.at = at
  context.changed = [...context.changed, ...changed]
}

/**
 * The guards and actions of the XState config `guardedModelConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const guardedModelKind: MachineKind<Context, GuardedModelInput, GuardedModelOutput> = {
  contextFrom: (input) => ({
    input,
    at: input.model.at,
    result: null,
    decided: input.instead,
    changed: [],
    open: 0,
    next: 0,
    repair: null,
  }),

  guards: {
    isDecided: ({ decided }) => decided !== null,
    hasEnded: ({ result, open }) => result !== null && open === 0,
    checksText: (context) => context.open === 0 && checkedText(context) !== null,
    endsChecks: (context, event) => {
      const { type } = outputEffect(context, event)
      return type === "end" || type === "repair"
    },
    hasMoreGuardrails: ({ input, next }) => next + 1 < input.output.length,
  },

  updates: {
    startGuardrails: (context, _event, _params, step) => {
      context.open = context.input.beside.length
      for (const [index, guardrail] of context.input.beside.entries())
        step.start(childPrefix + index, "guardrail", inputOf(context, guardrail, "input"))
    },
    stopGuardrails: (context, _event, _params, step) => {
      if (context.open === 0) return
      for (const index of context.input.beside.keys()) step.stop(childPrefix + index)
    },
    keepResult: (context, event) => {
      context.result = outputOf<HookedModelOutput>(event)
      context.at = context.result.at
    },
    keepVerdict: (context, event, _params, step) => {
      const guardrail = context.input.beside[doneIndexOf(event, childPrefix)]
      if (guardrail === undefined) return
      applyChanges(context, event)
      context.open = context.open - 1
      const effect = effectOn(context, guardrail, "input", event)
      if (effect.type !== "end") return
      context.decided = effect.result
      reportUnused(context, step)
    },
    applyOutputVerdict: (context, event, _params, step) => {
      const guardrail = context.input.output[context.next]
      const effect = outputEffect(context, event)
      const { result } = context
      applyChanges(context, event)
      context.next = context.next + 1
      if (guardrail === undefined || result === null || !result.ok) return
      if (effect.type === "replace")
        context.result = { ...result, value: { ...result.value, content: effect.text } }
      if (effect.type === "repair")
        context.repair = { guardrail: guardrail.name, reason: effect.reason }
      if (effect.type !== "end") return
      if (effect.result.ok) {
        const { content } = effect.result.value
        context.result = { ...result, value: { ...result.value, content } }
      } else {
        context.decided = effect.result
        reportUnused(context, step)
      }
    },
  },

  childInput(context, src): unknown {
    if (src === "hookedModel") return context.input.model
    const guardrail = context.input.output[context.next]
    if (guardrail === undefined) throw new TypeError("the response has no further guardrail")
    return inputOf(context, guardrail, "output")
  },

  output({ input, decided, result, changed, repair, open, at }) {
    const none = { changed: [], escalates: false, changedRequest: null as JsonObject | null }
    const { escalates, changedRequest, changed: before } = result ?? none
    const envelope: Envelope<ModelAnswer> = decided ?? result ?? endedCall(at)
    return {
      ...envelope,
      at,
      changed: [...before, ...changed],
      escalates,
      changedRequest,
      isInputChecked: input.beside.length > 0 && open === 0,
      repair,
    }
  },

  dropsChildren: true,
  pending: () => [],
}
