import type { PathScript } from "../model-checking/path-script.js"
import type { Rule } from "../../policies/policy.js"
import type { PolicyWarning } from "./policy-warnings.js"

/** The verdict on one policy for all possible runs of a chart, with an explanation. */
export interface PolicyResult {
  readonly name: string
  readonly pattern: Rule["pattern"]
  readonly line: number
  readonly column: number
  /**
   * `proved` means that no run violates the policy, under the listed assumptions. `violated` means
   * that the run in `counterexample` violates it. `unknown` means that the policy could not be
   * decided, for the listed reasons.
   */
  readonly verdict: "proved" | "violated" | "unknown"
  /** Whether the policy is proved only because it applies to nothing in the chart. */
  readonly vacuous: boolean
  readonly message: string
  readonly fix: string | null
  /**
   * Assumptions about models and the initial state, on which the verdict depends. Each is a
   * sentence, such as "Models use no signals."
   */
  readonly assumptions: readonly string[]
  /**
   * Number of states that the model checker explored. Each state combines a state of the chart with
   * a state of the automaton that tracks the policy.
   */
  readonly states: number
  readonly reasons: readonly PolicyReason[]
  readonly counterexample: Counterexample | null
}

/** The reason why a policy could not be decided, with a suggested fix. */
export interface PolicyReason {
  readonly code:
    | "undeclared_function"
    | "undeclared_toolset"
    | "state_limit"
    | "no_price"
    | "not_analyzed"
    | "counterexample_not_played"
  readonly message: string
  readonly fix: string
  readonly function?: string
  readonly capability?: string
  readonly toolset?: string
  readonly states?: number
  readonly model?: string
  /**
   * The conditions on the path for which no values with the required result were found. Only
   * present with the code `counterexample_not_played`.
   */
  readonly conditions?: readonly string[]
}

/**
 * A run that violates a policy. It is the run with the fewest journal records until the violation.
 */
export interface Counterexample {
  readonly records: number
  readonly path: readonly CounterexampleStep[]
  /**
   * The responses with which a run follows the path. null if the path only shows the data flow of a
   * `noFlow` policy, and no run is known.
   */
  readonly script: PathScript | null
}

export interface CounterexampleStep {
  readonly does: string
  readonly agent: string | null
  /**
   * Whether the run adds a record to its journal in this step of the path, for example for a model
   * response.
   */
  readonly record: boolean
  /**
   * All events in this step that a policy can refer to. Each entry is written as in a policy file,
   * such as `call charge_payment`.
   */
  readonly occurs: readonly string[]
}

export interface PolicyAnalysis {
  readonly results: readonly PolicyResult[]
  readonly warnings: readonly PolicyWarning[]
}
