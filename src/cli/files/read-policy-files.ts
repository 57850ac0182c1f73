import type { PolicyDiagnostic } from "../../compiler/index.js"
import type { PolicySet } from "../../policies/policy.js"
import { readSource } from "./read-source.js"

/** Policies of all policy files, and the problems found in these files. */
interface PolicyFiles {
  readonly sets: readonly PolicySet[]
  readonly diagnostics: readonly PolicyDiagnostic[]
}

/**
 * Reads and validates policy files. Reports the problems of all files instead of stopping at the
 * first problem.
 */
export async function readPolicyFiles(files: readonly string[]): Promise<PolicyFiles> {
  if (files.length === 0) return { sets: [], diagnostics: [] }
  const { readPolicies } = await import("../../compiler/index.js")
  const sets: PolicySet[] = []
  const problems: PolicyDiagnostic[] = []
  for (const file of files) {
    const { text, name } = await readSource(file)
    const { policies, diagnostics } = readPolicies(text, { file: name })
    problems.push(...diagnostics)
    if (policies !== null) sets.push(policies)
  }
  return { sets, diagnostics: problems }
}
