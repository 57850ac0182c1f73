import type { Envelope } from "../../machines/contract/services.js"
import type { LeafCall } from "../driver/host.js"
import type { Run } from "../run/run.js"
import type { RunMessage } from "../run/run-message.js"

/**
 * The event that `Engine.next` returns to a run: either the result of call number `n`, or a message
 * to the run. `at` is the time at which the message arrived, in milliseconds since the epoch.
 */
export type EngineEvent =
  | { readonly n: number; readonly result: Envelope }
  | { readonly message: RunMessage; readonly at: number }

/**
 * Connects one run to a durable execution engine (Restate, Temporal, DBOS). After a crash, the
 * engine calls `executeRun` again from the beginning, and the implementation returns the stored
 * results. An implementation must guarantee:
 * - After `next` has returned the result of a call, the call has the same result in each execution.
 * - `next` returns the same events in the same order in each execution.
 */
export interface Engine {
  /**
   * Starts a call as a durable step of the engine. Returns a function that stops the call. After
   * the call was stopped, `next` must not return its result.
   *
   * `at` is the time of the event that caused the call, in milliseconds since the epoch. It has the
   * same value each time the engine executes the run.
   */
  begin(call: LeafCall, at: number): () => void
  /**
   * Resolves to the next event for the run, which is the result of a call or a message. Until then,
   * the run does not change. An implementation can therefore publish the pending requests of `run`
   * while it waits for the event.
   */
  next(run: Run): Promise<EngineEvent>
  /**
   * Called after the run has accepted a message. `message` is the same object that `next` returned.
   */
  accepted?(message: RunMessage): void
  /**
   * Called when the run has rejected a message, for example a second answer to the same request. A
   * rejected message does not change the run.
   */
  refused?(message: RunMessage, error: Error): void
}
