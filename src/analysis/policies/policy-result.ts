import type { PathScript } from "../model-checking/path-script.js"
import type { Rule } from "../../policies/policy.js"
import type { PolicyWarning } from "./policy-warnings.js"

/** The verdict on one policy. */
export interface PolicyResult {
  readonly name: string
  readonly pattern: Rule["pattern"]
  readonly line: number
  readonly column: number
  /**
   * `proved`: no run violates the policy, under the assumptions. `violated`: the run in
   * `counterexample` violates it. `unknown`: the policy could not be decided; see `reasons`.
   */
  readonly verdict: "proved" | "violated" | "unknown"
  /** Whether nothing in the chart can trigger the policy, so that it is proved trivially. */
  readonly vacuous: boolean
  readonly message: string
  readonly fix: string | null
  /** Assumptions about models and the initial state, on which the verdict depends. */
  readonly assumptions: readonly string[]
  /**
   * Number of explored states. Each state combines a state of the chart and a state of the policy's
   * automaton.
   */
  readonly states: number
  readonly reasons: readonly PolicyReason[]
  readonly counterexample: Counterexample | null
}

/** The reason why a policy could not be decided, and a change that fixes this. */
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
   * The conditions for which no values with the required result were found. Absent: the reason has
   * another cause.
   */
  readonly conditions?: readonly string[]
}

/** A run that violates a policy. It needs the fewest journal records until the violation. */
export interface Counterexample {
  readonly records: number
  readonly path: readonly CounterexampleStep[]
  /** The responses that make a run follow the path. null for the data path of a `noFlow` policy. */
  readonly script: PathScript | null
}

export interface CounterexampleStep {
  readonly does: string
  readonly agent: string | null
  /** Whether the step is recorded in the journal. */
  readonly record: boolean
  /**
   * Everything that occurs in this step and that a policy can name. Each entry is written like an
   * atom in a policy file, such as `call charge_payment`.
   */
  readonly occurs: readonly string[]
}

export interface PolicyAnalysis {
  readonly results: readonly PolicyResult[]
  readonly warnings: readonly PolicyWarning[]
}
