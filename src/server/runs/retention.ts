import type { Journal } from "../../runtime/journal/journal.js"
import { pruneRuns } from "../../runtime/journal/prune-runs.js"

/** How long a server keeps ended runs. */
export interface Retention {
  /** Age since the end of a run after which the run is deleted, in milliseconds. */
  readonly ageMs: number
  /** Called after runs were deleted, with their number. */
  readonly onDeleted: (runs: number) => void
  /** Called if runs could not be deleted. The server tries again after an hour. */
  readonly onFailed: (error: unknown) => void
}

/** Time between two deletions, in milliseconds. */
const intervalMs = 3_600_000

/**
 * Deletes ended runs of a journal now and once an hour. Returns a function that stops this and
 * waits for a deletion in progress.
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
