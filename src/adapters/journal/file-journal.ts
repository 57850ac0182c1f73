import type { CompleteJournal } from "../../runtime/journal/journal.js"
import type { RunCheck } from "./run-check.js"

/** A journal (a store of runs) that is in files on disk and can verify its runs. */
export interface FileJournal extends CompleteJournal {
  /**
   * Reads one run completely, or all runs if no id is passed, and verifies all checksums. Does not
   * change the journal.
   */
  verify(runId?: string): readonly RunCheck[]
  /**
   * Removes the data of deleted runs from a SQLite file and shortens the file. Until this method is
   * called, the file may still contain the data. Does nothing for a folder of JSON Lines files.
   */
  compact(): void
}
