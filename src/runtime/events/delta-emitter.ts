import type { CallIdentity } from "../../machines/contract/services.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { CallWait } from "../../machines/contract/model-event.js"
import type { EventLog } from "./event-log.js"
import type { DeltaSink } from "../driver/host.js"

/** Returns the event `model.delta`, which contains a piece of text that a model has generated. */
export function deltaOf(
  { agent, path, branch, idempotencyKey, attempt }: CallIdentity,
  text: string,
): EmittedEvent {
  return { type: "model.delta", agent, path, branch, call: idempotencyKey, attempt, text }
}

/**
 * Returns the event `model.waiting`, which reports that a model call waits because of the model's
 * limits, such as the number of concurrent calls.
 */
export function waitingOf(
  { agent, path, branch, idempotencyKey, attempt }: CallIdentity,
  wait: CallWait,
): EmittedEvent {
  return { type: "model.waiting", agent, path, branch, call: idempotencyKey, attempt, ...wait }
}

/**
 * Emits temporary events to the current subscribers of a run. They contain a piece of generated
 * text, or report that a model call must wait. They are not stored in the event log, so later
 * subscribers do not receive them.
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
