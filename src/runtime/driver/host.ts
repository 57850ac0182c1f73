import type { Envelope, ModelRequest } from "../../machines/contract/services.js"
import type { LeafSource } from "../../machines/registry/machine-registry.js"

/** One call that leaves the core: a model, a tool, a pause. */
export interface LeafCall {
  /** Ordinal of its start in the run: its result is recorded under it. */
  readonly n: number
  readonly src: LeafSource
  readonly input: unknown
}

/**
 * What carries a run: the seam between the pure driver and the world. A host runs leaf calls and tells the time; results
 * come back through `complete`, in any order, at most once per call, never before `start` has returned.
 */
export interface Host {
  /** Starts a call and returns what stops it. After a stop nothing may be completed. `live`: where models may tell their words as they come. */
  start(call: LeafCall, complete: (result: Envelope) => void, live?: DeltaSink): () => void
  /** Milliseconds since the epoch. */
  now(): number
  /** A run has ended: whatever the host still keeps for it may go. */
  release?(runId: string): void
}

/** Where the models of a run tell their words as they come; one for all of its calls. */
export interface DeltaSink {
  /** Whether anybody listens. */
  isHeard(): boolean
  tell(request: ModelRequest, text: string): void
}

/** Time as a port, so that tests can run on a simulated one. */
export interface Clock {
  now(): number
  /** Calls `wake` once at `at` (milliseconds since the epoch) or soon after, and returns what prevents it. */
  wakeAt(at: number, wake: () => void): () => void
}
