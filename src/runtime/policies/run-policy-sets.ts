import { AgentStatechartsError } from "../../errors.js"
import type { PolicySet } from "../../policies/policy.js"

/** The policies of a run, in the form in which the journal stores them. */
export interface RunPolicySets {
  readonly sets: readonly PolicySet[]
  /**
   * If true, calls that would violate a policy are rejected. If false, violations are only
   * reported.
   */
  readonly enforce: boolean
}

/**
 * Returns the policies of a new run in the form in which the journal stores them. Returns null if
 * there are no policies.
 */
export function runPolicySets(
  policies: PolicySet | readonly PolicySet[] | undefined,
  enforce: boolean,
): RunPolicySets | null {
  if (policies === undefined) return null
  const sets = "policies" in policies ? [policies] : policies
  return sets.every((set) => set.policies.length === 0) ? null : { sets, enforce }
}

/**
 * Checks that a stored run is resumed with the policies with which it was started. `stored`
 * contains the policies of the run, and `given` the policies of the runner. If `given` is null, the
 * check is skipped, and the run continues with its own policies.
 *
 * @throws AgentStatechartsError `policies_differ`
 */
export function checkSamePolicies(
  runId: string,
  stored: RunPolicySets | undefined,
  given: RunPolicySets | null,
): void {
  if (given === null || textOf(stored) === textOf(given)) return
  const names = (sets: RunPolicySets | undefined): string =>
    sets === undefined
      ? "no policies"
      : `${sets.sets.flatMap((set) => set.policies.map(({ name }) => name)).join(", ")} (${sets.enforce ? "enforced" : "not enforced"})`
  throw new AgentStatechartsError(
    "policies_differ",
    `run "${runId}" was started with ${names(stored)}, and cannot be resumed with ${names(given)}. Resume it without policies to keep its own, or start a new run.`,
  )
}

/**
 * Returns the policies as JSON text, for a comparison. File names and line numbers are omitted,
 * because they can differ between processes.
 */
const textOf = (policies: RunPolicySets | undefined): string =>
  JSON.stringify(policies, (key, value: unknown) =>
    key === "file" || key === "line" || key === "column" ? undefined : value,
  ) ?? ""
