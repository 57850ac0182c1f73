import type { Envelope, ModelRequest } from "../../machines/contract/services.js"
import type { LeafSource } from "../../machines/registry/machine-registry.js"

/** A call outside of the driver: a model call, tool call, host function or pause. */
export interface LeafCall {
  /**
   * The number of the call in its run, from 0. The journal records the result under this number.
   */
  readonly n: number
  readonly src: LeafSource
  readonly input: unknown
}

/**
 * Executes the calls of a run and provides its time. Each call returns its result through
 * `complete` at most once, in any order, and never before `start` has returned.
 */
export interface Host {
  /**
   * Starts a call and returns a function that stops it. A stopped call must not call `complete`.
   * `live` receives the text of model responses while it is generated.
   */
  start(call: LeafCall, complete: (result: Envelope) => void, live?: DeltaSink): () => void
  /** Milliseconds since the epoch. */
  now(): number
  /** Frees everything that the host keeps for a run that has ended. */
  release?(runId: string): void
}

/**
 * Receives the text of model responses while it is generated. All calls of a run share one sink.
 */
export interface DeltaSink {
  /** Whether the run has subscribers for its events. */
  hasSubscribers(): boolean
  emit(request: ModelRequest, text: string): void
}

/** A source of time. Tests use a simulated clock. */
export interface Clock {
  /** Returns the time in milliseconds since the epoch. */
  now(): number
  /**
   * Calls `wake` once at `time` (milliseconds since the epoch) or soon after. Returns a cancel
   * function.
   */
  wakeAt(time: number, wake: () => void): () => void
}
