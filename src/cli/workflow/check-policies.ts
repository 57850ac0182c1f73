import { join } from "node:path"
import type { PriceList } from "../../analysis/index.js"
import type { PolicyDiagnostic } from "../../compiler/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicySet } from "../../policies/policy.js"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import { policyProblemText } from "../format/format-policies.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { writeTo } from "../files/write-result.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine, safeJson } from "../terminal/untrusted-text.js"
import type { PlayedResult } from "../counterexample/play-policies.js"
import type { CheckedPolicies, PlacedWarning } from "../format/checked-policies.js"
import { countsOf } from "../format/checked-policies.js"

/** A chart whose policies are checked, with the options of the check. */
export interface WorkflowToCheck {
  readonly chart: AgentChart
  /** Path of the workflow file, as the command `run` accepts it. */
  readonly file: string
  readonly prices: PriceList | null
  /** Folder of the option `--counterexamples`. Null if counterexamples are not written to files. */
  readonly folder: string | null
  readonly options: WorkflowOptions
  /** Called before each long step with a description of the step, which is shown as progress. */
  readonly onStep: (step: string) => void
}

/**
 * Decides whether one chart satisfies the policies of all policy files. Reproduces the violation of
 * each violated policy in a run.
 */
export async function decidePolicies(
  sets: readonly PolicySet[],
  workflow: WorkflowToCheck,
): Promise<CheckedPolicies> {
  const { decideSet } = await import("../counterexample/decide-set.js")
  const { chart, prices, onStep } = workflow
  const results: FiledResult[] = []
  const warnings: PlacedWarning[] = []
  for (const set of sets) {
    const file = set.file ?? ""
    onStep(`Deciding the policies of ${oneLine(file)}`)
    const decided = await decideSet(set, chart, prices, (policy) =>
      onStep(`Playing the counterexample of ${oneLine(policy)}`),
    )
    results.push(...decided.results.map((result) => ({ ...result, file })))
    warnings.push(...decided.warnings.map((warning) => ({ ...warning, file })))
  }
  const commands =
    workflow.folder === null ? null : await writeAll(results, workflow.folder, workflow)
  return {
    file: sets.map(({ file }) => file ?? "").join(", "),
    results: results.map((result) => ({
      ...result,
      counterexample:
        result.counterexample === null
          ? null
          : { ...result.counterexample, command: commands?.get(result) ?? null },
    })),
    warnings,
  }
}

type FiledResult = PlayedResult & { readonly file: string }

/**
 * Writes the counterexamples of all violated policies and an index file. Returns the shell command
 * that reproduces the counterexample of each verdict.
 */
async function writeAll(
  results: readonly FiledResult[],
  folder: string,
  { chart, file, options }: WorkflowToCheck,
): Promise<ReadonlyMap<FiledResult, string>> {
  const { writeCounterexample } = await import("../counterexample/write-counterexamples.js")
  const commands = new Map<FiledResult, string>()
  const index: object[] = []
  const names = new Set<string>()
  for (const result of results) {
    if (result.counterexample?.play == null) continue
    const { play, records, seen } = result.counterexample
    let name = result.name
    // Two policy files can have policies of the same name.
    for (let number = 2; names.has(name); number++) name = `${result.name}-${number}`
    names.add(name)
    const command = await writeCounterexample({ name, play }, folder, file, chart, options)
    commands.set(result, command)
    index.push({ name: result.name, file: result.file, line: result.line, command, records, seen })
  }
  await writeTo(join(folder, "index.json"), `${JSON.stringify(index, null, 2)}\n`)
  return commands
}

/** Returns the exit code of `check` for the verdicts on the policies of all workflows. */
export function policyExitCode(
  checked: readonly CheckedPolicies[],
  allowUnknown: boolean,
): ExitCode {
  const { violated, unknown } = countsOf(checked.flatMap(({ results }) => results))
  if (violated > 0) return exitCodes.failed
  return unknown > 0 && !allowUnknown ? exitCodes.unknown : exitCodes.ok
}

/**
 * Prints the problems of invalid policy files. The calling command then ends without checking a
 * workflow.
 */
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
