import type { CallIdentity, Envelope } from "../../machines/contract/services.js"
import type { CallWait } from "../../machines/contract/model-event.js"
import type { LeafSource } from "../../machines/registry/leaf-sources.js"

/**
 * A call that a statechart makes to the outside: a model call, a tool call, a host function (a
 * function that your program registers) or a pause.
 */
export interface LeafCall {
  /**
   * Number of the call in its run, starting at 0. The journal stores the result of the call under
   * this number.
   */
  readonly n: number
  readonly src: LeafSource
  readonly input: unknown
}

/**
 * The environment in which a run executes. It makes external calls such as model calls, and
 * provides the current time. Each call is completed at most once, and never before `start` has
 * returned. Calls may be completed in any order.
 */
export interface Host {
  /**
   * Starts a call and returns a function that stops the call. After the call has been stopped,
   * `complete` must not be called. `live` receives the text of the model piece by piece while it is
   * generated.
   */
  start(call: LeafCall, complete: (result: Envelope) => void, live?: DeltaSink): () => void
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /** Marks a run as suspended. Called before the runtime stops the calls of the run. */
  suspend?(runId: string): void
  /** Releases all data that the host keeps in memory for a run. Called when the run has ended. */
  release?(runId: string): void
}

/**
 * Receives the text that models generate, piece by piece, and the notices that a model call must
 * wait. All calls of a run share one `DeltaSink`.
 */
export interface DeltaSink {
  /**
   * Returns true if somebody subscribes to the events of the run. Otherwise, text does not need to
   * be streamed.
   */
  hasSubscribers(): boolean
  emit(request: CallIdentity, text: string): void
  /**
   * Reports that a model call must wait before it starts, because a limit of the model (such as the
   * number of concurrent calls) is reached.
   */
  waits(request: CallIdentity, wait: CallWait): void
}

/** Provides the current time and timers. Tests replace it with a simulated clock. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /**
   * Calls `wake` once, at `time` or soon after. `time` is in milliseconds since the epoch. Returns
   * a function that cancels the timer.
   */
  wakeAt(time: number, wake: () => void): () => void
}
