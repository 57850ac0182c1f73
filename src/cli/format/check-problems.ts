import { join } from "node:path"
import type { PolicyDiagnostic } from "../../compiler/index.js"
import type { PlacedResult } from "./checked-policies.js"
import type { FileCheck } from "./print-file-checks.js"

/** A problem or policy verdict that the command `check` reports in SARIF and JUnit output. */
export interface CheckProblem {
  readonly code: string
  /** Severity in the report. `none` means a proved policy, which is not a problem. */
  readonly level: "error" | "warning" | "note" | "none"
  readonly message: string
  readonly fix: string | null
  readonly file: string
  /** Line number in `file`, starting at 1. Null if the problem has no position in the file. */
  readonly line: number | null
  readonly column: number | null
  /** Steps of a run that violates the policy (the counterexample). Empty for other problems. */
  readonly steps: readonly string[]
}

const levels = { error: "error", warning: "warning", hint: "note" } as const

const verdictLevels = { proved: "none", violated: "error", unknown: "warning" } as const

/**
 * Returns the problems of one workflow that the compiler and the static analysis found. Policy
 * violations are not included.
 */
export const configProblems = ({
  file,
  folder,
  diagnostics,
  analysis,
}: FileCheck): readonly CheckProblem[] => [
  ...diagnostics.map(({ code, severity, message, fix, file: part, line, column }) => ({
    code,
    level: levels[severity],
    message,
    fix,
    file: part === undefined ? file : join(folder ?? "", part),
    line: line ?? null,
    column: column ?? null,
    steps: [],
  })),
  ...(analysis?.findings ?? []).map(({ code, severity, message, fix }) => ({
    code,
    level: levels[severity],
    message,
    fix,
    file,
    line: null,
    column: null,
    steps: [],
  })),
]

/** Converts the warnings about the policies of one workflow to report entries. */
export const policyWarningsOf = ({ policies }: FileCheck): readonly CheckProblem[] =>
  (policies?.warnings ?? []).map(({ code, message, fix, file, line, column }) => ({
    code,
    level: "warning",
    message,
    fix,
    file,
    line,
    column,
    steps: [],
  }))

/**
 * Converts the verdict on a policy to a report entry. The code of the entry is `policy/` followed
 * by the name of the policy.
 */
export function verdictProblem(result: PlacedResult): CheckProblem {
  const { name, verdict, message, fix, file, line, column, reasons, counterexample } = result
  return {
    code: `policy/${name}`,
    level: verdictLevels[verdict],
    message,
    fix: fix ?? reasons[0]?.fix ?? null,
    file,
    line,
    column,
    steps: (counterexample?.path ?? []).flatMap(({ does }) => (does === "" ? [] : [does])),
  }
}

/** Converts a problem in a policy file to a report entry. */
export const policyFileProblem = (problem: PolicyDiagnostic): CheckProblem => {
  const { code, message, fix, file, line, column } = problem
  return { code, level: "error", message, fix, file: file ?? "policies", line, column, steps: [] }
}
