import { AgentStatechartsError } from "../../errors.js"
import type { PolicySet } from "../../policies/policy.js"

/** The policies of a run, as the journal stores them. */
export interface RunPolicySets {
  readonly sets: readonly PolicySet[]
  /**
   * Whether calls that would violate a policy are refused. If false, violations are only reported.
   */
  readonly enforce: boolean
}

/** Returns the policies of a new run in the format of the journal, or null if there are none. */
export function runPolicySets(
  policies: PolicySet | readonly PolicySet[] | undefined,
  enforce: boolean,
): RunPolicySets | null {
  if (policies === undefined) return null
  const sets = "policies" in policies ? [policies] : policies
  return sets.every((set) => set.policies.length === 0) ? null : { sets, enforce }
}

/**
 * Checks that a stored run is resumed with the policies with which it was started. `given` are the
 * policies of the runner. If it is null, the run keeps its own policies.
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
 * Returns the policies as a text, to compare them with others. File names and line numbers are
 * omitted, because they can differ between processes.
 */
const textOf = (policies: RunPolicySets | undefined): string =>
  JSON.stringify(policies, (key, value: unknown) =>
    key === "file" || key === "line" || key === "column" ? undefined : value,
  ) ?? ""
