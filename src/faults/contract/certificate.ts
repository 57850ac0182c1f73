import type { FaultKind } from "./fault.js"
import type { FaultPlace } from "./place.js"
import type { Invariant } from "./violation.js"

/** Numbers of faults of one kind: how many were injected or skipped, and how their runs ended. */
export interface KindCounts {
  readonly injected: number
  readonly equal: number
  readonly declared: number
  readonly failed: number
  /** Number of faults that were not injected because of the limit `most`. */
  readonly skipped: number
}

/** A broken invariant, with a reduced script that reproduces it. */
export interface FaultFinding {
  /** The kind of the injected fault. `none`: the finding is in the fault-free runs. */
  readonly kind: FaultKind | "none"
  readonly at: FaultPlace
  readonly invariant: Invariant
  readonly message: string
  readonly fix: string
  /**
   * Number of runs in which this kind of fault broke the invariant for the same agent, tool or
   * function.
   */
  readonly runs: number
  /** The script that reproduces the run. null: the finding is in the fault-free runs. */
  readonly play: FaultScript | null
}

/** The scripted responses, answers and initial state that reproduce a run with one fault. */
export interface FaultScript {
  readonly scenario: Readonly<Record<string, unknown>>
  readonly answers: readonly unknown[]
  readonly state: Readonly<Record<string, unknown>>
  /** The kind and the index of the fault, such as `kill-before@3`. */
  readonly fault: string
}

export interface FaultWarning {
  readonly code: "reads_outside_of_steps"
  readonly service: string
  readonly message: string
}

/**
 * A service that received the same idempotency key again. The certificate assumes that the service
 * then does not repeat its work.
 */
export interface AssumedService {
  readonly service: string
  readonly kind: "model" | "tool" | "node" | "function"
  /**
   * Number of runs in which the service received more than one request with the same idempotency
   * key.
   */
  readonly runs: number
}

/**
 * The result of `certify`. It contains no times and no random ids, so two reports can be compared.
 */
export interface FaultReport {
  readonly ok: boolean
  readonly baseline: {
    readonly status: string
    readonly records: number
    readonly calls: number
    readonly answers: number
  }
  readonly kinds: Readonly<Partial<Record<FaultKind, KindCounts>>>
  readonly notInjected: readonly { readonly kind: FaultKind; readonly why: string }[]
  readonly runs: number
  readonly assumes: readonly AssumedService[]
  readonly warnings: readonly FaultWarning[]
  readonly findings: readonly FaultFinding[]
}
