/**
 * The name of a rule that every run with one fault must follow (see docs/faults.md#invariants). For
 * example, `same_result` requires the result of the run without a fault.
 */
export type Invariant =
  | "deterministic"
  | "comes_to_rest"
  | "completed_once"
  | "same_request"
  | "same_past"
  | "effect_once"
  | "answered_once"
  | "typed_error"
  | "answered_in_time"
  | "paced"
  | "same_calls"
  | "same_result"
  | "declared"
  | "policies"

/** Reports that a run broke an invariant, which is a rule for all runs with a fault. */
export interface Violation {
  readonly invariant: Invariant
  /**
   * Name of the agent, tool, host function, request or policy that broke the invariant. Reports
   * group violations by this name.
   */
  readonly subject: string
  readonly message: string
}
