import type { FaultFinding, FaultReport } from "../../faults/contract/certificate.js"

/**
 * Fault certificate, which is the JSON output of the command `faults`. The command injects faults
 * into runs and checks invariants. A certificate contains no times and no random ids, so that two
 * certificates can be compared.
 */
export interface FaultCertificate extends Omit<FaultReport, "findings"> {
  readonly certificate: 1
  /**
   * The certified workflow, the version of the program, and a hash of each input. The hash of a
   * file that was not passed is null.
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
  /** Names of the policies that were checked in each run. */
  readonly policies: readonly string[]
  readonly findings: readonly StoredFinding[]
}

/**
 * Violation of an invariant that the command `faults` has found, with the shell command that
 * reproduces it.
 */
export interface StoredFinding extends FaultFinding {
  readonly command: string
}
