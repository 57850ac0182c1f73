import type { Finding } from "../../analysis/index.js"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { safeJson } from "../terminal/untrusted-text.js"
import type { CheckedPolicies } from "./checked-policies.js"
import { countsOf } from "./checked-policies.js"
import type { FileCheck } from "./print-file-checks.js"

export const checkJson = (checked: readonly FileCheck[]): string =>
  safeJson(
    checked.map(({ file, ok, needs, diagnostics, analysis, policies, against }) => ({
      file,
      ok,
      needs,
      diagnostics: diagnostics.map(problemJson),
      analysis:
        analysis === null ? null : { ...analysis, findings: analysis.findings.map(problemJson) },
      policies: policies === null ? null : policiesJson(policies),
      ...(against !== null && { against }),
    })),
    2,
  )

/**
 * Converts a diagnostic or an analysis finding to the JSON output of `check`, in which the field
 * `fix` is named `cure`.
 */
function problemJson({ fix, ...problem }: Diagnostic | Finding): object {
  return { ...problem, cure: fix }
}

/** Converts the verdicts on policies to the JSON output of `check`. */
function policiesJson({ file, results, warnings }: CheckedPolicies): object {
  return { file, ...countsOf(results), warnings, results }
}
