import type { Envelope } from "../../machines/contract/services.js"
import type { LeafCall } from "../driver/host.js"
import type { Run } from "../run/run.js"
import type { RunMessage } from "../run/run-message.js"

/** What comes next in a run: the result of a call that was begun, or a message from outside and when it came. */
export type EngineEvent =
  | { readonly n: number; readonly result: Envelope }
  | { readonly message: RunMessage; readonly at: number }

/**
 * What another program that makes functions durable (Restate, Temporal, DBOS) does for one run: the seam of `adapters/engine`.
 * Such a program runs `executeRun` again from its start after a crash, and the answers that it stored make it the same run. So it
 * holds for an engine that
 *
 * - a call has the same result whenever the run is carried again, once that result has been given out;
 * - `next` gives the same happenings in the same order.
 */
export interface Engine {
  /**
   * Begins a call as a step of its own and returns what stops it. A call that was stopped is never given out by `next`. `at` is the
   * time of what led to it, never later than now: the same whenever the run is carried again.
   */
  begin(call: LeafCall, at: number): () => void
  /** Settles with what comes next. The run rests until then: what it waits for may be looked up and shown. */
  next(run: Run): Promise<EngineEvent>
  /** The run has handled a message that `next` gave out. The same object is given. */
  accepted?(message: RunMessage): void
  /** A message that did not fit what the run waited for; it has changed nothing. Of contradictory answers, all but the first. */
  refused?(message: RunMessage, error: Error): void
}
