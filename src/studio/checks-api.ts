// The JSON about policies, fault certificates and evaluations that the server and the page exchange.
import type { PolicyResult, PolicyWarning } from "../analysis/index.js"
import type { PolicyDiagnostic } from "../compiler/index.js"
import type { FoundReport } from "./reports/found-report.js"
import type { CaseResultFile, CertificateFile, EvaluationFile } from "./reports/report-schemas.js"

/** A policy file that applies to a workflow. */
export interface PolicyFile {
  readonly path: string
  /** Whether runs of the studio follow the policies of the file, or the file is only checked. */
  readonly use: "enforced" | "reported" | "checked"
}

/** The files about a workflow that other commands have written. */
export interface WorkflowReports {
  readonly policies: readonly PolicyFile[]
  readonly certificates: readonly FoundReport<CertificateFile>[]
  readonly evaluations: readonly FoundReport<EvaluationFile>[]
  /** Fingerprint of the chart, to compare with the reports. */
  readonly fingerprint: string
}

/** The verdicts on the policies of one file. */
export interface PolicyVerdicts {
  readonly path: string
  /** Problems of the file. If it has any, nothing is decided. */
  readonly problems: readonly PolicyDiagnostic[]
  readonly warnings: readonly PolicyWarning[]
  readonly results: readonly PolicyVerdict[]
  /** Fingerprint of the chart; null if nothing was decided. */
  readonly fingerprint: string | null
}

type Counterexample = NonNullable<PolicyResult["counterexample"]>

/** The verdict on a policy, with its text in the file. */
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
