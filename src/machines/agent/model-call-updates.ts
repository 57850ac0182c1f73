import { outputOf } from "../contract/machine-event.js"
import type { ModelByName } from "../contract/agent-definition.js"
import type { Guard, Step, Update } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import type { Envelope, HostChanges, ModelAnswer } from "../contract/services.js"
import { withSubject, runErrorOf } from "../contract/turn.js"
import type { JsonObject } from "../data/json-object.js"
import { applyPatch } from "../data/session-state.js"
import { nextAttemptAt } from "../model-call/retry-policy.js"
import { alternativeNameAt, modelNameAt } from "../model-call/agent-models.js"
import { nextModel } from "../model-call/fallback.js"
import { invalidInput } from "../model-call/input-schema.js"
import { adkInstructions } from "../model-call/instructions.js"
import { chooseModel } from "./model-routes.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { locationOf, modelCallKey } from "../model-call/llm-agent-context.js"
import { leftOutWarning, statePrompt } from "../model-call/state-prompt.js"

type Context = LlmAgentContext

/** Returns the result of a model call from the done event of its actor. */
export const envelopeOf = (event: MachineEvent): Envelope<ModelAnswer> =>
  outputOf<Envelope<ModelAnswer>>(event)

/**
 * Guards that check why a model call failed, and whether another attempt or a fallback model is
 * possible.
 */
export const modelCallGuards: Readonly<Record<string, Guard<Context>>> = {
  modelCallLimitReached: (_, event) => {
    const envelope = envelopeOf(event)
    return !envelope.ok && envelope.error.code === "limit_reached"
  },
  attemptsAreLeft: (context, event) => {
    const envelope = envelopeOf(event)
    if (envelope.ok) return false
    return (
      nextAttemptAt(
        context.definition.activity,
        context.attempt,
        context.callStartedAt,
        envelope.error,
        envelope.at,
      ) !== null
    )
  },
  fallsBack: ({ definition, modelIndex = 0 }, event) => {
    const envelope = envelopeOf(event)
    return !envelope.ok && nextModel(definition, modelIndex, envelope.error) !== null
  },
}

/** Actions that start, retry and fail model calls, or switch to a fallback model. */
export const modelCallUpdates: Readonly<Record<string, Update<Context>>> = {
  countModelCall: (context, _event, _params, step) => {
    if (context.failure === null) {
      context.calls = context.calls + 1
      // The call of a fallback model is not counted in `turnCalls`, and its model is already
      // chosen.
      if (context.fallsBack === true) context.fallsBack = false
      else {
        context.turnCalls = context.turnCalls + 1
        chooseModel(context, step)
      }
      context.attempt = 1
      if (context.changedRequest !== undefined) context.changedRequest = null
      context.callStartedAt = context.at
      context.callKey = modelCallKey(context)
    } else {
      context.attempt = context.attempt + 1
      context.failure = null
    }
    const { adk, byName } = context.definition
    if (adk !== undefined)
      context.instructions = invalidInput(context.input, adk, step) ?? adkInstructions(context, adk)
    if (byName !== undefined) fillStatePrompt(context, byName, step)
  },
  setTime: (context, event) => {
    context.at = envelopeOf(event).at
  },
  scheduleRetry: (context, event, _params, step) => {
    const envelope = envelopeOf(event)
    if (envelope.ok) return
    const due = nextAttemptAt(
      context.definition.activity,
      context.attempt,
      context.callStartedAt,
      envelope.error,
      envelope.at,
    )
    applyHostChanges(context, event)
    const { changedRequest } = outputOf<{ readonly changedRequest?: JsonObject | null }>(event)
    if (changedRequest !== undefined && changedRequest !== null)
      context.changedRequest = changedRequest
    context.failure = envelope.error
    context.retryAt = due ?? envelope.at
    step.emit({
      type: "retry.scheduled",
      of: context.callKey,
      attempt: context.attempt + 1,
      until: context.retryAt,
      error: envelope.error,
      ...locationOf(context.input),
    })
  },
  fallBack: (context, event, _params, step) => {
    const envelope = envelopeOf(event)
    applyHostChanges(context, event)
    if (envelope.ok) return
    const { definition, modelIndex = 0 } = context
    const next = nextModel(definition, modelIndex, envelope.error)
    const to = next === null ? null : alternativeNameAt(definition, next)
    if (next === null || to === null) return
    context.modelIndex = next
    context.fallsBack = true
    step.emit({
      type: "model.fallback",
      of: context.callKey,
      from: modelNameAt(definition, modelIndex),
      to,
      error: envelope.error,
      ...locationOf(context.input),
    })
  },
  failTurn: (context, event) => {
    const envelope = envelopeOf(event)
    applyHostChanges(context, event)
    if (envelope.ok) return
    const { agent } = context.input
    context.error = runErrorOf(agent, {
      ...envelope.error,
      message: withSubject(`agent "${agent}"`, envelope.error.message),
    })
  },
  storeOverrun: (context, event) => {
    const envelope = envelopeOf(event)
    applyHostChanges(context, event)
    context.overrun = envelope.ok ? null : envelope.error
  },
}

/**
 * Creates the system message for a model that is registered by name. If state keys are missing in
 * the message because the state is too large, emits a warning once in each turn.
 */
function fillStatePrompt(context: Context, byName: ModelByName, step: Step): void {
  const { instructions, leftOut } = statePrompt(context, byName)
  context.instructions = instructions
  if (leftOut.length === 0 || context.turnCalls > 1 || context.attempt > 1) return
  const message = leftOutWarning(context.input.agent, leftOut)
  step.emit({ type: "warning", message, ...locationOf(context.input) })
}

/**
 * Applies the state changes and the escalation that an actor's done event contains. They come from
 * callbacks and other host functions.
 */
export function applyHostChanges(context: Context, event: MachineEvent): void {
  const {
    changed = [],
    escalates,
    at,
  } = outputOf<{
    readonly changed?: readonly HostChanges[]
    readonly escalates?: boolean
    readonly at: number
  }>(event)
  context.at = at
  if (escalates === true) context.escalatesAtEnd = true
  if (changed.length > 0) context.state = changed.reduce(applyPatch, context.state)
}
