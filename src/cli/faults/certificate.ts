import type { FaultFinding, FaultReport } from "../../faults/contract/certificate.js"

/**
 * The JSON output of `faults`. It contains no times and no random ids, so two certificates can be
 * compared.
 */
export interface FaultCertificate extends Omit<FaultReport, "findings"> {
  readonly certificate: 1
  /**
   * The certified workflow, the hashes of its input files, and the program version. A hash is null
   * if the file was not passed.
   */
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

/** An invariant violation that `faults` has found, with the command that reproduces it. */
export interface StoredFinding extends FaultFinding {
  readonly command: string
}
