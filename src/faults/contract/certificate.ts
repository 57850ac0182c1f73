import type { FaultKind } from "./fault.js"
import type { FaultPlace } from "./place.js"
import type { Invariant } from "./violation.js"

/** Number of injected faults of a kind, and the results of their runs. */
export interface KindCounts {
  readonly injected: number
  readonly equal: number
  readonly declared: number
  readonly failed: number
  /** Number of places that were skipped because of `most`. */
  readonly skipped: number
}

/** A broken invariant, with the smallest script that shows it. */
export interface FaultFinding {
  /** `none` for a finding in the fault-free runs. */
  readonly kind: FaultKind | "none"
  readonly at: FaultPlace
  readonly invariant: Invariant
  readonly message: string
  readonly fix: string
  /** Number of runs with this kind of fault in which the same function breaks the invariant. */
  readonly runs: number
  /** The script of the run; null for a finding in the fault-free runs. */
  readonly play: FaultScript | null
}

/** The script of one run with a fault. */
export interface FaultScript {
  readonly scenario: Readonly<Record<string, unknown>>
  readonly answers: readonly unknown[]
  readonly state: Readonly<Record<string, unknown>>
  /** The fault, such as `kill-before@3`. */
  readonly fault: string
}

export interface FaultWarning {
  readonly code: "reads_outside_of_steps"
  readonly service: string
  readonly message: string
}

/** A service that must recognize a repeated idempotency key. */
export interface AssumedService {
  readonly service: string
  readonly kind: "model" | "tool" | "node" | "function"
  /** Number of runs in which the service received two requests with the same idempotency key. */
  readonly runs: number
}

/**
 * The result of injecting every single fault into a run. It contains no times and no random ids.
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
