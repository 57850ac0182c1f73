import { join } from "node:path"
import type { PolicyDiagnostic } from "../../compiler/index.js"
import type { PlacedResult } from "./checked-policies.js"
import type { FileCheck } from "./print-file-checks.js"

/** A result of `check` with a location, for reports that other programs read. */
export interface CheckProblem {
  readonly code: string
  /** Severity in the report. `none`: a proved policy, which is not a problem. */
  readonly level: "error" | "warning" | "note" | "none"
  readonly message: string
  readonly fix: string | null
  readonly file: string
  /** Line number, from 1. null: the problem has no location in the file. */
  readonly line: number | null
  readonly column: number | null
  /** The steps of the counterexample. Empty if the problem has none. */
  readonly steps: readonly string[]
}

const levels = { error: "error", warning: "warning", hint: "note" } as const

const verdictLevels = { proved: "none", violated: "error", unknown: "warning" } as const

/**
 * Returns the compiler diagnostics and analysis findings of one workflow. Problems of policies are
 * not included.
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

/** Converts the warnings about the policies of one workflow to problems. */
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
 * Converts the verdict on a policy to a problem. The problem's code is `policy/` followed by the
 * policy's name.
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

/** Converts a diagnostic of a policy file to a problem. */
export const policyFileProblem = (problem: PolicyDiagnostic): CheckProblem => {
  const { code, message, fix, file, line, column } = problem
  return { code, level: "error", message, fix, file: file ?? "policies", line, column, steps: [] }
}
