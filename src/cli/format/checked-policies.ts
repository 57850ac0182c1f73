import type { PolicyResult, PolicyWarning } from "../../analysis/index.js"
import type { Counterexample } from "../../analysis/index.js"

/** Verdicts on the policies of all policy files for one workflow. */
export interface CheckedPolicies {
  /** Names of all policy files in one text, separated by commas. */
  readonly file: string
  readonly results: readonly PlacedResult[]
  readonly warnings: readonly PlacedWarning[]
}

/**
 * Verdict on a policy, with its policy file. If the policy is violated, contains a counterexample
 * (the steps of a violating run) and the command that reproduces it.
 */
export type PlacedResult = Omit<PolicyResult, "counterexample"> & {
  readonly file: string
  readonly counterexample: RunnableCounterexample | null
}

export interface RunnableCounterexample extends Omit<Counterexample, "script"> {
  /**
   * Scripted responses, answers and other data with which the command `run` reproduces the
   * counterexample. Null if the counterexample was not reproduced.
   */
  readonly play: object | null
  /**
   * Event that violates the policy in the run that reproduces the counterexample. Null if the
   * counterexample was not reproduced.
   */
  readonly seen: { readonly seq: number; readonly type: string } | null
  /**
   * Shell command that reproduces the counterexample from the files of `--counterexamples`. Null if
   * this option is not set.
   */
  readonly command: string | null
}

export type PlacedWarning = PolicyWarning & { readonly file: string }

/** Counts the policies with each verdict. */
export function countsOf(results: readonly Pick<PolicyResult, "verdict">[]) {
  const count = (verdict: PolicyResult["verdict"]): number =>
    results.filter((result) => result.verdict === verdict).length
  return { proved: count("proved"), violated: count("violated"), unknown: count("unknown") }
}
