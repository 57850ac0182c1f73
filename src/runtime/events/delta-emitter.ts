import type { CallIdentity } from "../../machines/contract/services.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { CallWait } from "../../machines/contract/model-event.js"
import type { EventLog } from "./event-log.js"
import type { DeltaSink } from "../driver/host.js"

/** Returns the `model.delta` event for a piece of text that a model has generated. */
export function deltaOf(
  { agent, path, branch, idempotencyKey, attempt }: CallIdentity,
  text: string,
): EmittedEvent {
  return { type: "model.delta", agent, path, branch, call: idempotencyKey, attempt, text }
}

/** Returns the `model.waiting` event for a model call that waits because of the model's limits. */
export function waitingOf(
  { agent, path, branch, idempotencyKey, attempt }: CallIdentity,
  wait: CallWait,
): EmittedEvent {
  return { type: "model.waiting", agent, path, branch, call: idempotencyKey, attempt, ...wait }
}

/**
 * A sink that emits generated text, and notices that a model call must wait, to a run's current
 * subscribers. These events are not stored in the event log.
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

  waits(request: CallIdentity, wait: CallWait): void {
    this.#run.log.emit(this.#run.now(), waitingOf(request, wait))
  }
}
