import type { PolicyReason, PolicyResult } from "./policy-result.js"

/**
 * Returns the reason for the verdict `unknown` if a chart contains a construct that the policy
 * checker does not support.
 */
export const notAnalyzed = (construct: string): PolicyReason => ({
  code: "not_analyzed",
  message: `The policy checker does not support ${construct} yet.`,
  fix: "Move the other parts into separate workflows and check these, or accept the unknown verdict with --allow-unknown.",
})

/**
 * Returns a text about a MachineAgent for messages. The text names its uncertain property, which is
 * the order in which its machine runs the agents.
 */
export const orderOfMachine = (agent: string): string =>
  `the order in which the machine of "${agent}" runs its agents`

/**
 * Returns the reason for the verdict `unknown` if the policy file does not declare the tools of a
 * toolset. `capability` is the effect that such a tool could have.
 */
export const undeclaredToolset = (toolset: string, capability: string): PolicyReason => ({
  code: "undeclared_toolset",
  toolset,
  message: `The policy file does not declare the tools of the toolset "${toolset}". A tool of this toolset could ${capability}.`,
  fix: `Declare the tools in the policy file: toolsets: { ${toolset}: { lists: [...] } }, or set toolFilter on the toolset.`,
})

/**
 * Returns the result with the verdict `unknown` instead of `violated`, because no executed run
 * reproduced the counterexample.
 */
export function unplayed<Result extends Pick<PolicyResult, "verdict">>(
  result: Result,
  conditions: readonly string[],
): Result &
  Pick<PolicyResult, "verdict" | "message" | "fix" | "reasons"> & {
    readonly counterexample: null
  } {
  const message = `A run may violate the policy, but no run that was tried did so.${conditions.length === 0 ? "" : ` No values were found for these conditions: ${conditions.join("; ")}.`}`
  const fix =
    "Check whether a run can meet the conditions of this path. If no run can, make the conditions simpler, so that the checker can evaluate them."
  const reasons = [{ code: "counterexample_not_played", conditions, message, fix } as const]
  return { ...result, verdict: "unknown", message, fix, reasons, counterexample: null }
}
