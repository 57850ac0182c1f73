import type { AgentStatechartsError } from "../../errors.js"
import type { CompleteJournal, JournalHeader } from "../../runtime/journal/journal.js"
import { checkFingerprint } from "./check-fingerprint.js"
import type { ChainChecksum } from "./checksums.js"

/** Result of verifying one run. */
export interface RunCheck {
  /** null if the id cannot be read, or if the problem concerns the whole file. */
  readonly runId: string | null
  /** The file and, in a database, the run. */
  readonly place: string
  readonly records: number
  /** Why the run cannot be resumed. null for an undamaged run. */
  readonly problem: AgentStatechartsError | null
  /**
   * Findings that do not prevent a resume: an incomplete last line, missing checksums, an edited
   * chart.
   */
  readonly notes: readonly string[]
}

/** A file-based journal whose runs can be verified. */
export interface FileJournal extends CompleteJournal {
  /** Reads one run or all runs completely and verifies their checksums. Changes nothing. */
  verify(runId?: string): readonly RunCheck[]
}

/** Returns notes about an undamaged run. */
export function notesOf(
  header: JournalHeader,
  chain: ChainChecksum,
  place: string,
): readonly string[] {
  if (chain === null)
    return [
      "no checksums: the run was started by a version without checksums, so damage may go undetected",
    ]
  try {
    checkFingerprint(header.chart, place)
    return []
  } catch {
    // A chart may be edited by hand before a run is started with it.
    return ["the chart does not match its fingerprint: it was edited before the run was started"]
  }
}
