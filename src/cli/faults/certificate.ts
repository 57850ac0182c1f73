import type { FaultFinding, FaultReport } from "../../faults/contract/certificate.js"

/** The result of `faults`, as it is stored. It contains no times and no random ids. */
export interface FaultCertificate extends Omit<FaultReport, "findings"> {
  readonly certificate: 1
  /** The inputs that the certificate is about. Hashes are null for files that were not passed. */
  readonly of: {
    readonly chart: string
    readonly fingerprint: string
    readonly scenario: string | null
    readonly answers: string | null
    readonly services: string | null
    readonly policies: string | null
    readonly program: string
  }
  /** The names of the policies that were checked. */
  readonly policies: readonly string[]
  readonly findings: readonly StoredFinding[]
}

/** A finding with the command that shows it. */
export interface StoredFinding extends FaultFinding {
  readonly command: string
}
