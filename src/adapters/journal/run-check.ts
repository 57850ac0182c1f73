import type { AgentStatechartsError } from "../../errors.js"
import type { CompleteJournal, JournalHeader } from "../../runtime/journal/journal.js"
import { checkFingerprint } from "./check-fingerprint.js"
import type { Chain } from "./checksums.js"

/** What `verify` found in one run. */
export interface RunCheck {
  /** null where the id cannot be read, and for a problem of the whole file. */
  readonly runId: string | null
  /** The file, and in a database the run. */
  readonly place: string
  readonly records: number
  /** Why the run cannot be resumed; null for a run that is whole. */
  readonly problem: AgentStatechartsError | null
  /** What does not stop the run from being resumed: an incomplete last line, no checksums, an edited chart. */
  readonly notes: readonly string[]
}

/** A journal in files, whose runs can be checked. */
export interface FileJournal extends CompleteJournal {
  /** Reads one run or all of them to the end and compares everything with its checksums. Changes nothing. */
  verify(runId?: string): readonly RunCheck[]
}

/** What is worth knowing of a run that is whole. */
export function notesOf(header: JournalHeader, chain: Chain, place: string): readonly string[] {
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
