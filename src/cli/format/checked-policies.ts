import type { PolicyResult, PolicyWarning } from "../../analysis/index.js"

/** The verdicts on the policies of all files for one workflow. */
export interface CheckedPolicies {
  /** Names of the policy files, separated by commas. */
  readonly file: string
  readonly results: readonly PlacedResult[]
  readonly warnings: readonly PlacedWarning[]
}

/** A verdict with the file of its policy. */
export type PlacedResult = PolicyResult & { readonly file: string }
export type PlacedWarning = PolicyWarning & { readonly file: string }

/** Counts the verdicts. */
export function countsOf(results: readonly PolicyResult[]) {
  const count = (verdict: PolicyResult["verdict"]): number =>
    results.filter((result) => result.verdict === verdict).length
  return { proved: count("proved"), violated: count("violated"), unknown: count("unknown") }
}
