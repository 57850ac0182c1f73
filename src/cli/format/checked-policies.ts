import type { PolicyResult, PolicyWarning } from "../../analysis/index.js"
import type { Counterexample } from "../../analysis/index.js"

/** The verdicts on the policies of all files for one workflow. */
export interface CheckedPolicies {
  /** Names of the policy files, separated by commas. */
  readonly file: string
  readonly results: readonly PlacedResult[]
  readonly warnings: readonly PlacedWarning[]
}

/** A verdict with the file of its policy, and the command that plays its counterexample. */
export type PlacedResult = Omit<PolicyResult, "counterexample"> & {
  readonly file: string
  readonly counterexample: RunnableCounterexample | null
}

export interface RunnableCounterexample extends Omit<Counterexample, "script"> {
  /** The files that `run` needs to play it. null for a path of data (`noFlow`). */
  readonly play: object | null
  /** The event that violates the policy. */
  readonly seen: { readonly seq: number; readonly type: string } | null
  /** The command that plays the files of `--counterexamples`; null without this option. */
  readonly command: string | null
}

export type PlacedWarning = PolicyWarning & { readonly file: string }

/** Counts the verdicts. */
export function countsOf(results: readonly Pick<PolicyResult, "verdict">[]) {
  const count = (verdict: PolicyResult["verdict"]): number =>
    results.filter((result) => result.verdict === verdict).length
  return { proved: count("proved"), violated: count("violated"), unknown: count("unknown") }
}
