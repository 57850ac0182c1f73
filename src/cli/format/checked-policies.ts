import type { PolicyResult, PolicyWarning } from "../../analysis/index.js"
import type { Counterexample } from "../../analysis/index.js"

/** The verdicts on the policies of all policy files for one workflow. */
export interface CheckedPolicies {
  /** Names of the policy files, separated by commas. */
  readonly file: string
  readonly results: readonly PlacedResult[]
  readonly warnings: readonly PlacedWarning[]
}

/** A verdict on a policy, with the policy file and a counterexample that can be played. */
export type PlacedResult = Omit<PolicyResult, "counterexample"> & {
  readonly file: string
  readonly counterexample: RunnableCounterexample | null
}

export interface RunnableCounterexample extends Omit<Counterexample, "script"> {
  /** The inputs with which `run` plays the counterexample. null: no counterexample was played. */
  readonly play: object | null
  /**
   * The event that violates the policy when the counterexample is played. null: no counterexample
   * was played.
   */
  readonly seen: { readonly seq: number; readonly type: string } | null
  /**
   * The command that plays the counterexample from the files of `--counterexamples`. null: this
   * option is not set.
   */
  readonly command: string | null
}

export type PlacedWarning = PolicyWarning & { readonly file: string }

/** Returns the number of policies with each verdict. */
export function countsOf(results: readonly Pick<PolicyResult, "verdict">[]) {
  const count = (verdict: PolicyResult["verdict"]): number =>
    results.filter((result) => result.verdict === verdict).length
  return { proved: count("proved"), violated: count("violated"), unknown: count("unknown") }
}
