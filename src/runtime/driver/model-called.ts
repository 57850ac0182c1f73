import type { CallFailure, ModelRequest } from "../../machines/contract/services.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"

/**
 * Returns the event `model.called` for an attempt of a model call. Returns null if the instructions
 * of the agent could not be created, because the model is not called in this case. The event is
 * emitted after the call has passed all limits.
 */
export function modelCalled(call: unknown): EmittedEvent | null {
  // The cast is safe: `machines/model-call/model-call-input.ts` creates the input of every model
  // call.
  const { request, refusal, modelIndex } = call as {
    readonly request: ModelRequest
    readonly refusal?: CallFailure
    readonly modelIndex?: number
  }
  if (refusal !== undefined) return null
  const { idempotencyKey, attempt, messages, agent, path, branch } = request
  const model = request.endpoint?.url ?? request.model
  const messageCount = messages[0]?.role === "system" ? messages.length - 1 : messages.length
  const event = {
    type: "model.called",
    call: idempotencyKey,
    attempt,
    messages: messageCount,
    agent,
    path,
    branch,
  } as const
  return modelIndex !== undefined && model !== null ? { ...event, model } : event
}
