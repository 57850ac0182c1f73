import type { ModelRequest } from "../../machines/contract/services.js"
import type { Announcement } from "../../machines/contract/run-event.js"
import type { EventLog } from "./event-log.js"
import type { DeltaSink } from "../driver/host.js"

/** What a model says while it says it, as an event of its call. */
export function deltaOf(
  { agent, path, branch, idempotencyKey, attempt }: ModelRequest,
  text: string,
): Announcement {
  return { type: "model.delta", agent, path, branch, call: idempotencyKey, attempt, text }
}

/** Tells the deltas of a run's model calls to whoever listens to its events. */
export class DeltaEmitter implements DeltaSink {
  readonly #run: { readonly log: EventLog; now(): number }

  constructor(run: { readonly log: EventLog; now(): number }) {
    this.#run = run
  }

  isHeard(): boolean {
    return this.#run.log.isHeard
  }

  tell(request: ModelRequest, text: string): void {
    this.#run.log.tell(this.#run.now(), deltaOf(request, text))
  }
}
