import type { CompleteJournal } from "../runtime/journal/journal.js"
import { loadRun, storeRun } from "../runtime/journal/stored-run.js"
import { fork } from "../runtime/runner/fork.js"

/** The position of a fork and its changes of the session state. */
export interface ForkChanges {
  /** Number of journal records to copy from the original run. */
  readonly at: number
  /** State entries to set at this position. */
  readonly state?: Readonly<Record<string, unknown>>
  /** State keys to remove at this position. */
  readonly remove?: readonly string[]
}

/** Stores a fork of a run and returns its run id, a random UUID. */
export async function storeFork(
  journal: CompleteJournal,
  runId: string,
  changes: ForkChanges,
): Promise<string> {
  const stored = await loadRun(journal, runId)
  const forkId = crypto.randomUUID()
  await storeRun(journal, fork(stored, { ...changes, runId: forkId, now: Date.now() }))
  return forkId
}
