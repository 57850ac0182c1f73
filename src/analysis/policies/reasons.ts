import type { PolicyReason, PolicyResult } from "./policy-result.js"

/** Returns the reason for an unknown verdict: the policy checker does not support a construct. */
export const notAnalyzed = (construct: string): PolicyReason => ({
  code: "not_analyzed",
  message: `The checker does not support ${construct} yet.`,
  fix: "Check the other parts as workflows of their own, or use --allow-unknown.",
})

/** Returns the reason for an unknown verdict: the tools of a toolset are not known. */
export const undeclaredToolset = (toolset: string, capability: string): PolicyReason => ({
  code: "undeclared_toolset",
  toolset,
  message: `The tools of the toolset "${toolset}" are not declared. It could ${capability}.`,
  fix: `Declare them in the policy file: toolsets: { ${toolset}: { lists: [...] } }, or set toolFilter on the toolset.`,
})

/** Changes a result to `unknown`, because no run could reproduce its counterexamples. */
export function unplayed<Result extends Pick<PolicyResult, "verdict">>(
  result: Result,
  conditions: readonly string[],
): Result &
  Pick<PolicyResult, "verdict" | "message" | "fix" | "reasons"> & {
    readonly counterexample: null
  } {
  const message = `The policy may be violated, but no run showed it.${conditions.length === 0 ? "" : ` These conditions could not be met: ${conditions.join("; ")}.`}`
  const fix =
    "Check whether a run can take this path. If none can, make the conditions simpler, so that the checker can decide them."
  const reasons = [{ code: "counterexample_not_played", conditions, message, fix } as const]
  return { ...result, verdict: "unknown", message, fix, reasons, counterexample: null }
}
