/** The name of a rule that every run with one fault must obey (see docs/faults.md#invariants). */
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

/** An invariant that one run broke. */
export interface Violation {
  readonly invariant: Invariant
  /**
   * Name of the agent, tool, host function, request or policy that broke the invariant. Reports
   * group violations by subject.
   */
  readonly subject: string
  readonly message: string
}
