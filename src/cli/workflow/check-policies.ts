import type { PriceList } from "../../analysis/index.js"
import type { PolicyDiagnostic } from "../../compiler/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicySet } from "../../policies/policy.js"
import type { ExitCode } from "../errors/exit-codes.js"
import { exitCodes } from "../errors/exit-codes.js"
import { policyProblemText } from "../format/format-policies.js"
import type { Terminal } from "../terminal/terminal.js"
import { safeJson } from "../terminal/untrusted-text.js"
import { readSource } from "../files/read-source.js"
import type { CheckedPolicies, PlacedResult, PlacedWarning } from "../format/checked-policies.js"
import { countsOf } from "../format/checked-policies.js"

/** The policies of all files, and what is wrong with the files. */
interface PolicyFiles {
  readonly sets: readonly PolicySet[]
  readonly diagnostics: readonly PolicyDiagnostic[]
}

/** Reads policy files. Reports all of their problems. */
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

/** Decides the policies of all files for one chart. */
export async function decidePolicies(
  chart: AgentChart,
  sets: readonly PolicySet[],
  prices: PriceList | undefined,
): Promise<CheckedPolicies> {
  const { analyzePolicies } = await import("../../analysis/policies/analyze-policies.js")
  const results: PlacedResult[] = []
  const warnings: PlacedWarning[] = []
  for (const policies of sets) {
    const file = policies.file ?? ""
    const decided = analyzePolicies(chart, policies, prices ?? null)
    results.push(...decided.results.map((result) => ({ ...result, file })))
    warnings.push(...decided.warnings.map((warning) => ({ ...warning, file })))
  }
  return { file: sets.map(({ file }) => file ?? "").join(", "), results, warnings }
}

/** Returns verdicts in the format of `--json`. */
export function policiesJson({ file, results, warnings }: CheckedPolicies): object {
  return { file, ...countsOf(results), warnings, results }
}

/** Returns the exit code for the verdicts on all workflows. */
export function policyExitCode(
  checked: readonly CheckedPolicies[],
  allowUnknown: boolean,
): ExitCode {
  const { violated, unknown } = countsOf(checked.flatMap(({ results }) => results))
  if (violated > 0) return exitCodes.failed
  return unknown > 0 && !allowUnknown ? exitCodes.unknown : exitCodes.ok
}

/** Prints what is wrong with policy files. No workflow is checked then. */
export function printPolicyProblems(
  files: readonly string[],
  diagnostics: readonly PolicyDiagnostic[],
  json: boolean,
  { print, paint }: Terminal,
): void {
  if (json)
    print(
      safeJson(
        files.map((file) => ({ file, policies: { diagnostics } })),
        2,
      ),
    )
  else for (const diagnostic of diagnostics) print(policyProblemText(diagnostic, paint))
}
