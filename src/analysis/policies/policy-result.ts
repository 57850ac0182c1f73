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
   * `proved`: no run violates the policy, under the assumptions. `violated`: `counterexample` is a
   * run that does. `unknown`: neither, for the reasons in `reasons`.
   */
  readonly verdict: "proved" | "violated" | "unknown"
  /** Set if the policy is proved because nothing in the chart can trigger it. */
  readonly vacuous: boolean
  readonly message: string
  readonly fix: string | null
  /** The assumptions of the verdict about models and about the start of the run. */
  readonly assumptions: readonly string[]
  /**
   * Number of explored states, each a state of the chart combined with a state of the policy's
   * automaton.
   */
  readonly states: number
  readonly reasons: readonly PolicyReason[]
  readonly counterexample: Counterexample | null
}

/** A reason for an unknown verdict, and the change that allows a decision. */
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
  /** The conditions for which no values were found. */
  readonly conditions?: readonly string[]
}

/** A run that violates a policy, with the fewest journal records up to the violation. */
export interface Counterexample {
  readonly records: number
  readonly path: readonly CounterexampleStep[]
  /** The responses that make a run follow the path. null for a path of data (`noFlow`). */
  readonly script: PathScript | null
}

export interface CounterexampleStep {
  readonly does: string
  readonly agent: string | null
  /** Whether the step is recorded in the journal. */
  readonly record: boolean
  /** The atoms that occur in the step, as in a policy file, such as `call charge_payment`. */
  readonly occurs: readonly string[]
}

export interface PolicyAnalysis {
  readonly results: readonly PolicyResult[]
  readonly warnings: readonly PolicyWarning[]
}
