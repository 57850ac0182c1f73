import type { CallFailure, ModelRequest } from "../../machines/contract/services.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"

/**
 * Returns the `model.called` event of an attempt, or null if its instructions could not be created.
 * Both interpreters emit it after the call has passed all limits.
 */
export function modelCalled(call: unknown): EmittedEvent | null {
  // The input is created by `machines/model-call/model-call-input.ts`.
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
