import { join } from "node:path"
import type { PolicyDiagnostic } from "../../compiler/index.js"
import type { PlacedResult } from "./checked-policies.js"
import type { FileCheck } from "./print-file-checks.js"

/** A result of `check` with a location, for reports that other programs read. */
export interface CheckProblem {
  readonly code: string
  /** `none`: a policy that is proved. */
  readonly level: "error" | "warning" | "note" | "none"
  readonly message: string
  readonly fix: string | null
  readonly file: string
  /** From 1; null if the problem has no location in the file. */
  readonly line: number | null
  readonly column: number | null
  /** The steps of a counterexample; empty for other problems. */
  readonly steps: readonly string[]
}

const levels = { error: "error", warning: "warning", hint: "note" } as const

const verdictLevels = { proved: "none", violated: "error", unknown: "warning" } as const

/** Returns the problems of one workflow, without its policies. */
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

/** Returns the warnings about the policies of one workflow. */
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

/** Returns the verdict on a policy as a problem. Its code contains the name of the policy. */
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

/** Returns a problem of a policy file. */
export const policyFileProblem = (problem: PolicyDiagnostic): CheckProblem => {
  const { code, message, fix, file, line, column } = problem
  return { code, level: "error", message, fix, file: file ?? "policies", line, column, steps: [] }
}
