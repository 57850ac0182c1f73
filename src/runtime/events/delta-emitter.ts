import type { CallIdentity } from "../../machines/contract/services.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { EventLog } from "./event-log.js"
import type { DeltaSink } from "../driver/host.js"

/** Returns the `model.delta` event for a piece of text that a model has generated. */
export function deltaOf(
  { agent, path, branch, idempotencyKey, attempt }: CallIdentity,
  text: string,
): EmittedEvent {
  return { type: "model.delta", agent, path, branch, call: idempotencyKey, attempt, text }
}

/**
 * Emits generated text to the current subscribers of a run. The text is not stored in the event
 * log.
 */
export class DeltaEmitter implements DeltaSink {
  readonly #run: { readonly log: EventLog; now(): number }

  constructor(run: { readonly log: EventLog; now(): number }) {
    this.#run = run
  }

  hasSubscribers(): boolean {
    return this.#run.log.hasSubscribers
  }

  emit(request: CallIdentity, text: string): void {
    this.#run.log.emit(this.#run.now(), deltaOf(request, text))
  }
}
