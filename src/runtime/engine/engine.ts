import type { Envelope } from "../../machines/contract/services.js"
import type { LeafCall } from "../driver/host.js"
import type { Run } from "../run/run.js"
import type { RunMessage } from "../run/run-message.js"

/**
 * The result of a call, or a message to the run. `at` is the time of its arrival in milliseconds
 * since the epoch.
 */
export type EngineEvent =
  | { readonly n: number; readonly result: Envelope }
  | { readonly message: RunMessage; readonly at: number }

/**
 * A durable execution engine (Restate, Temporal, DBOS) as one run uses it. After a crash, the
 * engine executes `executeRun` again from its start with the stored results. It must guarantee:
 *
 * - A call has the same result in each execution after `next` has returned the result.
 * - `next` returns the same events in the same order in each execution.
 */
export interface Engine {
  /**
   * Starts a call as a step of the engine and returns a function that stops it. `next` does not
   * return the result of a stopped call. `at` is the time of the event that caused the call, the
   * same in each execution.
   */
  begin(call: LeafCall, at: number): () => void
  /**
   * Resolves to the next event. The run is settled until then, so its pending requests can be
   * published.
   */
  next(run: Run): Promise<EngineEvent>
  /** Called when the run has accepted a message. Receives the object that `next` returned. */
  accepted?(message: RunMessage): void
  /**
   * Called when the run has rejected a message, for example a second answer to a request. The run
   * is unchanged.
   */
  refused?(message: RunMessage, error: Error): void
}
