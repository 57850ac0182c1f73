import type { Journal } from "../../runtime/journal/journal.js"
import { pruneRuns } from "../../runtime/journal/prune-runs.js"

/** Options for how long a server keeps ended runs. */
export interface Retention {
  /** Time from the end of a run to its deletion, in milliseconds. */
  readonly ageMs: number
  /** Called with the number of deleted runs after each deletion of at least one run. */
  readonly onDeleted: (runs: number) => void
  /** Called if the deletion fails. The server tries again after one hour. */
  readonly onFailed: (error: unknown) => void
}

/** Interval between two deletions of old runs, in milliseconds. */
const intervalMs = 3_600_000

/**
 * Deletes old ended runs from a journal, immediately and then once per hour. Returns a function
 * that stops the deletions and waits for a deletion in progress.
 */
export function startRetention(
  journal: Journal,
  { ageMs, onDeleted, onFailed }: Retention,
): () => Promise<void> {
  const prune = async (): Promise<void> => {
    try {
      const { runIds } = await pruneRuns(journal, { endedBefore: Date.now() - ageMs })
      if (runIds.length > 0) onDeleted(runIds.length)
    } catch (error) {
      onFailed(error)
    }
  }
  let active = prune()
  const timer = setInterval(() => {
    active = active.then(prune)
  }, intervalMs).unref()
  return async () => {
    clearInterval(timer)
    await active
  }
}
