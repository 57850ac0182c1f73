import { outputOf, timeOf, reasonOf } from "../contract/machine-event.js"
import type { Envelope } from "../contract/services.js"
import { emitExpired, expiryTime } from "../requests/expiry.js"
import type { LlmAgentContext } from "../model-call/llm-agent-context.js"
import { locationOf } from "../model-call/llm-agent-context.js"
import { emitAnswered, openRequest, requestId, notifyPaused } from "./turn-pauses.js"
import { expiry } from "../contract/pending-request.js"
import type { Guard, Update } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"

type Context = LlmAgentContext

const envelopeOf = (event: MachineEvent): Envelope => outputOf<Envelope>(event)

/**
 * Guards for the request that asks a person whether to extend a budget of the agent or of the run.
 */
export const budgetGuards: Readonly<Record<string, Guard<Context>>> = {
  asksForBudget: (_, event) => {
    const envelope = envelopeOf(event)
    return !envelope.ok && envelope.error.asksFor !== undefined
  },
}

export const budgetUpdates: Readonly<Record<string, Update<Context>>> = {
  askForBudget: (context, _event, _params, step) => {
    openRequest(context, step, {
      id: requestId(context),
      kind: "approval",
      ...locationOf(context.input),
      prompt: `${context.overrun?.message ?? ""}. Continue with the same amount again?`,
      details: { budget: context.overrun?.asksFor ?? null },
      toolCalls: [],
      ...expiry(context.at, context.definition.expiresInMs),
    })
    notifyPaused(context, step, null)
  },
  /**
   * Records that a person has approved the extension of the exceeded budget. The input of the
   * turn's next model call then contains the extension, which is applied before this call.
   */
  grantBudget: (context, event, _params, step) => {
    context.at = timeOf(event)
    // If the agent has routes, or if the refused call used a fallback model, the next call uses the
    // same model again.
    const isChosen = (context.modelIndex ?? 0) > 0 || context.definition.routes !== undefined
    context.fallsBack = isChosen
    context.turnCalls = isChosen ? 1 : 0
    context.granted =
      context.overrun?.asksFor === undefined
        ? null
        : { call: context.calls, to: context.overrun.asksFor }
    emitAnswered(context, step, { approved: true })
  },
  refuseBudget: (context, event, _params, step) => {
    const isSilent = event.type === "xstate.done.actor.expiry"
    context.at = isSilent ? expiryTime(event) : timeOf(event)
    const { agent } = context.input
    context.error = {
      code: "limit_reached",
      agent,
      message: `${context.overrun?.message ?? ""}; ${isSilent ? "nobody approved an extension in time" : "a person rejected an extension"}`,
    }
    if (isSilent) emitExpired(step, context.input, requestId(context), "reject")
    else
      emitAnswered(context, step, {
        approved: false,
        reason: reasonOf(event),
      })
  },
}
