import type { AgentStatechartsError } from "../../errors.js"
import type { JournalHeader } from "../../runtime/journal/journal.js"
import { checkFingerprint } from "./check-fingerprint.js"
import type { ChainChecksum } from "./checksums.js"

/** The result of verifying one stored run. */
export interface RunCheck {
  /** Id of the run. null if the id cannot be read, or if the problem concerns the whole file. */
  readonly runId: string | null
  /**
   * Location of the run in error messages. In a folder with JSONL files, this is the path of the
   * file. In a database, this is the number of the run and the file of the database.
   */
  readonly location: string
  readonly records: number
  /** Error that prevents the run from being resumed. null if the run is undamaged. */
  readonly problem: AgentStatechartsError | null
  /**
   * Problems that do not prevent the run from being resumed, for example an incomplete last line,
   * missing checksums, or an edited chart.
   */
  readonly notes: readonly string[]
}

/**
 * Returns the `notes` of a `RunCheck` for a run without damage. The notes report missing checksums
 * or a chart that was edited before the start of the run.
 */
export function notesOf(
  header: JournalHeader,
  chain: ChainChecksum,
  location: string,
): readonly string[] {
  if (chain === null)
    return [
      "no checksums: the run was started by a version without checksums, so damage may go undetected",
    ]
  try {
    checkFingerprint(header.chart, location)
    return []
  } catch {
    // This is not damage: a chart may be edited by hand before a run is started with it.
    return ["the chart does not match its fingerprint: it was edited before the run was started"]
  }
}
