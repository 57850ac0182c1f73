import type { CallIdentity, Envelope } from "../../machines/contract/services.js"
import type { CallWait } from "../../machines/contract/model-event.js"
import type { LeafSource } from "../../machines/registry/leaf-sources.js"

/** A call that leaves the statechart: a model call, a tool call, a host function or a pause. */
export interface LeafCall {
  /**
   * Number of the call in its run, counted from 0. The journal stores the result under this number.
   */
  readonly n: number
  readonly src: LeafSource
  readonly input: unknown
}

/**
 * The environment of a run: it executes leaf calls and provides the time. Each call is completed at
 * most once and never before `start` has returned. Calls may be completed in any order.
 */
export interface Host {
  /**
   * Starts a call and returns a function that stops it. After the call was stopped, `complete` must
   * not be called. `live` receives the text that a model generates, in pieces.
   */
  start(call: LeafCall, complete: (result: Envelope) => void, live?: DeltaSink): () => void
  /** Returns the time in milliseconds since the epoch. */
  now(): number
  /** Marks a run as suspended. Called before the calls of the run are stopped. */
  suspend?(runId: string): void
  /** Releases all data that the host keeps in memory for a run. Called when the run has ended. */
  release?(runId: string): void
}

/**
 * A receiver for the text that models generate, piece by piece, and for notices that a model call
 * must wait. All calls of a run share one sink.
 */
export interface DeltaSink {
  /** Returns whether the events of the run have a subscriber. */
  hasSubscribers(): boolean
  emit(request: CallIdentity, text: string): void
  /**
   * Reports that a model call must wait before it starts, because a limit of the model is reached.
   */
  waits(request: CallIdentity, wait: CallWait): void
}

/** A source of time. Tests replace it with a simulated clock. */
export interface Clock {
  /** Returns the time in milliseconds since the epoch. */
  now(): number
  /**
   * Calls `wake` once, at `time` or soon after. `time` is in milliseconds since the epoch. Returns
   * a function that cancels the call.
   */
  wakeAt(time: number, wake: () => void): () => void
}
