import type { CompleteJournal } from "../../runtime/journal/journal.js"
import type { RunCheck } from "./run-check.js"

/** A journal that is stored in files and can verify its runs. */
export interface FileJournal extends CompleteJournal {
  /**
   * Reads one run completely, or all runs if no id is passed, and verifies all checksums. Changes
   * nothing.
   */
  verify(runId?: string): readonly RunCheck[]
  /**
   * Removes the data of deleted runs from the file and shortens it. Before that, the file may still
   * contain their data.
   */
  compact(): void
}
