import type { FaultKind } from "./fault.js"
import type { FaultPosition } from "./fault-position.js"
import type { Invariant } from "./violation.js"

/**
 * How many faults of one kind were injected or skipped, and how the runs with these faults ended.
 * `equal` runs have the result of the run without a fault. `declared` runs have a different result
 * that an event explains. `failed` runs broke an invariant.
 */
export interface KindCounts {
  readonly injected: number
  readonly equal: number
  readonly declared: number
  readonly failed: number
  /** Number of possible faults that were not injected because the limit `most` was reached. */
  readonly skipped: number
}

/**
 * A violation of an invariant, which is a rule for all runs. One finding covers all runs in which
 * the same kind of fault broke the rule for the same subject. A subject is, for example, an agent
 * or a tool. The reduced script reproduces the first of these runs.
 */
export interface FaultFinding {
  /**
   * The kind of the injected fault. `none` means that a run without a fault broke the invariant.
   */
  readonly kind: FaultKind | "none"
  readonly at: FaultPosition
  readonly invariant: Invariant
  readonly message: string
  readonly fix: string
  /**
   * Number of runs in which this kind of fault broke the invariant for the same agent, tool or
   * function.
   */
  readonly runs: number
  /**
   * The script that reproduces the run with the fault. null if a run without a fault broke the
   * invariant, because there is no fault to inject.
   */
  readonly play: FaultScript | null
}

/**
 * The scripted responses, answers and initial state with which you can reproduce a run with one
 * fault.
 */
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
 * A service that received several requests with the same idempotency key. The report assumes that
 * the service carried out the work only once for these requests. Otherwise, the report is not
 * valid.
 */
export interface AssumedService {
  readonly service: string
  readonly kind: "model" | "tool" | "node" | "function"
  /**
   * Number of runs with a fault in which this service received more than one request with the same
   * idempotency key.
   */
  readonly runs: number
}

/**
 * The result of `certify`. It contains no times and no random ids, so you can compare two reports
 * of the same workflow.
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
