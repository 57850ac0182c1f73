import type { PriceList } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicySet } from "../../policies/policy.js"
import type { ExitCode } from "../errors/exit-codes.js"
import { exitCodes } from "../errors/exit-codes.js"
import { readSource } from "../files/read-source.js"
import { policyProblemText } from "../format/format-policies.js"
import type { CheckedPolicies, PlacedResult, PlacedWarning } from "./checked-policies.js"
import { countsOf } from "./checked-policies.js"
import type { Terminal } from "../terminal/terminal.js"

/** Reads policy files. Prints all of their problems, and returns null if there are any. */
export async function readPolicyFiles(
  files: readonly string[],
  { print, paint }: Terminal,
): Promise<readonly PolicySet[] | null> {
  if (files.length === 0) return []
  const { readPolicies } = await import("../../compiler/index.js")
  const sets: PolicySet[] = []
  let isValid = true
  for (const file of files) {
    const { text, name } = await readSource(file)
    const { policies, diagnostics } = readPolicies(text, { file: name })
    for (const diagnostic of diagnostics) print(policyProblemText(diagnostic, name, paint))
    if (policies === null) isValid = false
    else sets.push(policies)
  }
  return isValid ? sets : null
}

/** Decides the policies of all files for one chart. */
export async function decidePolicies(
  chart: AgentChart,
  sets: readonly PolicySet[],
  prices: PriceList | undefined,
): Promise<CheckedPolicies> {
  const { analyzeChart } = await import("../../analysis/index.js")
  const results: PlacedResult[] = []
  const warnings: PlacedWarning[] = []
  for (const policies of sets) {
    const file = policies.file ?? ""
    const analysis = analyzeChart(chart, {
      policies,
      ...(prices === undefined ? {} : { prices }),
    })
    results.push(...analysis.policies.map((result) => ({ ...result, file })))
    warnings.push(...analysis.policyWarnings.map((warning) => ({ ...warning, file })))
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
