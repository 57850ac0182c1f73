import type { CallFailure, ModelRequest } from "../../machines/contract/services.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"

/**
 * The event for an attempt that is about to be made; null for a call whose instructions could not
 * be made. Interpreters announce it when a call has passed the limits: a call that a limit refuses,
 * or that a callback answers, is not made.
 */
export function modelCalled(call: unknown): EmittedEvent | null {
  // Only inputs of the leaf actor `callModel` come here
  // (`machines/model-call/model-call-input.ts`).
  const { request, refusal } = call as {
    readonly request: ModelRequest
    readonly refusal?: CallFailure
  }
  if (refusal !== undefined) return null
  const { idempotencyKey, attempt, messages, agent, path, branch } = request
  const said = messages[0]?.role === "system" ? messages.length - 1 : messages.length
  return {
    type: "model.called",
    call: idempotencyKey,
    attempt,
    messages: said,
    agent,
    path,
    branch,
  }
}
