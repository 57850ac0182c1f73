import type { Guardrail, Guardrails } from "../contract/guardrails/guardrails.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { outputOf } from "../contract/machine-event.js"
import type { MachineKind, Update } from "../contract/machine-kind.js"
import type { Message } from "../contract/services.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { textOfContent } from "../contract/user-content.js"
import { effectOf, type GuardrailEffect } from "../guardrails/guardrail-effect.js"
import type { GuardrailInput, GuardrailOutput } from "../guardrails/guardrail.js"
import type { GuardProgress, LlmAgentContext } from "../model-call/llm-agent-context.js"
import { applyAnswer } from "./answer-updates.js"
import { compactingLlmAgentKind } from "./compacting-llm-agent.js"
import type { GuardedModelInput, GuardedModelOutput, Repair } from "./guarded-model.js"
import type { HookedModelInput } from "./hooked-model.js"
import { applyHostChanges } from "./model-call-updates.js"

type Context = LlmAgentContext

const none: readonly never[] = []

const noGuardrails: Guardrails = { before: none, beside: none, output: none }

const guardrailsOf = ({ definition }: Context) => definition.guardrails ?? noGuardrails

const notChecked = -1

const progressOf = ({ guarding }: Context): GuardProgress =>
  guarding ?? {
    checked: notChecked,
    next: 0,
    checkedBeside: notChecked,
    repairs: {},
    instead: null,
  }

const setProgress = (context: Context, changes: Partial<GuardProgress>): void => {
  context.guarding = { ...progressOf(context), ...changes }
}

/** Returns the index of the last user message in the conversation, or -1 if there is none. */
const lastInput = ({ conversation }: Context): number =>
  conversation.findLastIndex(({ role }) => role === "user")

/**
 * Returns whether the agent has an input that its guardrails have not checked. `checked` is the
 * number of messages that they have checked. The first input of a turn is always checked, even if
 * there is no user message.
 */
const isUnchecked = (context: Context, checked: number): boolean =>
  checked === notChecked || lastInput(context) >= checked

/**
 * Returns the text that the input guardrails check, which is the last user message. Returns an
 * empty string if there is none.
 */
function inputText(context: Context): string {
  const message = context.conversation[lastInput(context)]
  return message?.role === "user" ? textOfContent(message.content) : ""
}

const dueGuardrail = (context: Context): Guardrail | undefined =>
  guardrailsOf(context).before[progressOf(context).next]

/** Returns how the turn continues after an input guardrail with `mode: "before"` has finished. */
function inputEffect(context: Context, event: MachineEvent): GuardrailEffect {
  const guardrail = dueGuardrail(context)
  const { agent } = context.input
  return guardrail === undefined
    ? { type: "continue" }
    : effectOf({ agent, guardrail, on: "input" }, outputOf<GuardrailOutput>(event))
}

const repairOf = (event: MachineEvent): Repair | null =>
  outputOf<Partial<GuardedModelOutput>>(event).repair ?? null

/**
 * Wraps an action that ends the wait for a user message. The wrapped action also sets the number of
 * repairs of each guardrail to 0. A repair is a text that the model had to correct.
 */
const withNewInput =
  (name: "applyUserMessage" | "continueUnanswered"): Update<Context> =>
  (context, event, params, step) => {
    compactingLlmAgentKind.updates[name]?.(context, event, params, step)
    setProgress(context, { repairs: {} })
  }

/**
 * The guards and actions of the XState config `guardedLlmAgentConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const guardedLlmAgentKind: MachineKind<Context, TurnInput, TurnOutput> = {
  ...compactingLlmAgentKind,

  guards: {
    ...compactingLlmAgentKind.guards,
    hasNewInput: (context) =>
      guardrailsOf(context).before.length > 0 && isUnchecked(context, progressOf(context).checked),
    guardrailDecides: (context, event) => inputEffect(context, event).type === "end",
    hasMoreGuardrails: (context) =>
      progressOf(context).next + 1 < guardrailsOf(context).before.length,
    repairsText: (_, event) => repairOf(event) !== null,
    repairsAtTurnLimit: (context, event) =>
      repairOf(event) !== null && context.turnCalls >= context.maxTurnCalls,
  },

  updates: {
    ...compactingLlmAgentKind.updates,
    applyUserMessage: withNewInput("applyUserMessage"),
    continueUnanswered: withNewInput("continueUnanswered"),
    applyInputVerdict: (context, event) => {
      const effect = inputEffect(context, event)
      const next = progressOf(context).next + 1
      applyHostChanges(context, event)
      if (effect.type === "replace") replaceInput(context, effect.text)
      if (effect.type === "end") setProgress(context, { instead: effect.result })
      if (next < guardrailsOf(context).before.length && effect.type !== "end")
        setProgress(context, { next })
      else setProgress(context, { next: 0, checked: context.conversation.length })
    },
    /**
     * Records that the guardrails with `mode: "beside"` have checked the input, so that they do not
     * check the same input again.
     */
    recordCheckedInput: (context, event) => {
      if (event.type !== "xstate.done.actor.model") return
      const { isInputChecked } = outputOf<GuardedModelOutput>(event)
      const { instead } = progressOf(context)
      if (isInputChecked) setProgress(context, { checkedBeside: context.conversation.length })
      if (instead?.ok === true) setProgress(context, { instead: null })
    },
    askForRepair: (context, event, params, step) => {
      compactingLlmAgentKind.updates["askForRepair"]?.(context, event, params, step)
      keepChecked(context)
    },
    /**
     * Adds a response that a guardrail rejected to the conversation, so that the model can repair
     * it. The emitted event does not contain the rejected text.
     */
    rejectText: (context, event, _params, step) => applyAnswer(context, event, step, false),
    askForGuardedText: (context, event) => {
      const repair = repairOf(event)
      if (repair === null) return
      const { repairs } = progressOf(context)
      const { guardrail, reason } = repair
      const why = reason === null ? "" : `: ${reason}`
      const content = `Your answer was rejected by the check "${guardrail}"${why}. Answer again without this problem.`
      context.conversation = [...context.conversation, { role: "user", content }]
      setProgress(context, {
        repairs: { ...repairs, [guardrail]: (repairs[guardrail] ?? 0) + 1 },
      })
      keepChecked(context)
    },
  },

  childInput(context, src, config, lookup): unknown {
    const { input, state, at } = context
    if (src === "guardedModel") {
      // `compactingLlmAgentKind` returns a `HookedModelInput` for the actor `hookedModel`.
      const model = compactingLlmAgentKind.childInput(
        context,
        "hookedModel",
        config,
        lookup,
      ) as HookedModelInput
      const { beside, output, holdsText } = guardrailsOf(context)
      const { checkedBeside, instead } = progressOf(context)
      const guarded: GuardedModelInput = {
        model: holdsText === true ? { ...model, call: { ...model.call, holdsText } } : model,
        instead,
        beside: isUnchecked(context, checkedBeside) ? beside : none,
        output: output.map((guardrail) => withRepairsLeft(context, guardrail)),
        text: inputText(context),
        conversation: context.conversation,
        number: context.calls - 1,
      }
      return guarded
    }
    if (src === "guardrail") {
      const guardrail = dueGuardrail(context)
      if (guardrail === undefined) throw new TypeError("the input has no further guardrail")
      const { runId, agent, path, branch, iteration } = input
      const check: GuardrailInput = {
        runId,
        agent,
        path,
        branch,
        guardrail,
        on: "input",
        text: inputText(context),
        messages: context.conversation,
        number: context.calls,
        state,
        iteration,
        at,
      }
      return check
    }
    return compactingLlmAgentKind.childInput(context, src, config, lookup)
  },
}

/**
 * Returns a guardrail with `onTrip: "fail"` if the model has already made `maxRepairs` repairs for
 * it. A further rejected text then fails the agent. Otherwise, returns the guardrail unchanged.
 */
function withRepairsLeft(context: Context, guardrail: Guardrail): Guardrail {
  const { name, onTrip, maxRepairs = 1 } = guardrail
  const made = progressOf(context).repairs[name] ?? 0
  return onTrip === "repair" && made >= maxRepairs ? { ...guardrail, onTrip: "fail" } : guardrail
}

/**
 * Marks all messages of the conversation as checked by the input guardrails. This prevents them
 * from checking a message that does not come from the user, such as a request to correct a text.
 */
function keepChecked(context: Context): void {
  const { checked, checkedBeside } = progressOf(context)
  const { length } = context.conversation
  setProgress(context, {
    ...(checked !== notChecked && { checked: length }),
    ...(checkedBeside !== notChecked && { checkedBeside: length }),
  })
}

function replaceInput(context: Context, content: string): void {
  const index = lastInput(context)
  const message: Message = { role: "user", content }
  context.conversation =
    index === -1 ? [...context.conversation, message] : context.conversation.with(index, message)
}
