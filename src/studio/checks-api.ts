// The JSON about policies, fault certificates and evaluations that the server and the page exchange.
import type { PolicyResult, PolicyWarning } from "../analysis/index.js"
import type { PolicyDiagnostic } from "../compiler/index.js"
import type { FoundReport } from "./reports/found-report.js"
import type { CaseResultFile, CertificateFile, EvaluationFile } from "./reports/report-schemas.js"

/** A policy file that applies to a workflow. */
export interface PolicyFile {
  readonly path: string
  /**
   * How the policies apply to runs in the studio.
   *
   * - `enforced`: calls that would violate a policy are stopped.
   * - `reported`: calls continue, and violations are reported.
   * - `checked`: runs ignore the policies, and only static analysis checks them.
   */
  readonly use: "enforced" | "reported" | "checked"
}

/**
 * The policy files that apply to a workflow, and the reports about this workflow from the commands
 * `faults` and `eval`.
 */
export interface WorkflowReports {
  readonly policies: readonly PolicyFile[]
  readonly certificates: readonly FoundReport<CertificateFile>[]
  readonly evaluations: readonly FoundReport<EvaluationFile>[]
  /** Fingerprint (hash) of the current chart. A report with a different fingerprint is outdated. */
  readonly fingerprint: string
}

/** The results of checking the policies of one file against a chart. */
export interface PolicyVerdicts {
  readonly path: string
  /** Errors in the policy file. If the list is not empty, no policy was checked. */
  readonly problems: readonly PolicyDiagnostic[]
  readonly warnings: readonly PolicyWarning[]
  readonly results: readonly PolicyVerdict[]
  /** Fingerprint (hash) of the checked chart. Null if the policy file has errors. */
  readonly fingerprint: string | null
}

type Counterexample = NonNullable<PolicyResult["counterexample"]>

/** The result of checking one policy, with the source text of the policy. */
export interface PolicyVerdict extends Omit<PolicyResult, "counterexample"> {
  readonly description: string | null
  readonly source: string
  readonly counterexample:
    | (Omit<Counterexample, "script"> & {
        readonly seen: { readonly seq: number; readonly type: string }
      })
    | null
}

export type { CaseResultFile, CertificateFile, EvaluationFile, PolicyDiagnostic }
