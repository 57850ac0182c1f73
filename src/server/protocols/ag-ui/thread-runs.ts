import type { RunHub } from "../../../serving/run-hub.js"

/**
 * Maximum number of AG-UI threads whose latest run is cached. The runs of other threads are read
 * from the journal.
 */
const maxCached = 10_000

/**
 * Finds the runs of AG-UI threads. The first run has the id of its thread, such as `chat`. Later
 * runs have ids such as `chat.2` and `chat.3`.
 */
export interface ThreadRuns {
  /** Returns the id of the latest run of a thread, or null if the thread has no run. */
  latest(threadId: string): Promise<string | null>
  /** Returns the id for the next run of a thread. `latest` is the id of its latest run, or null. */
  next(threadId: string, latest: string | null): string
  /** Records that a run of the thread has started. */
  started(threadId: string, runId: string): void
}

const nth = (threadId: string, n: number): string => (n === 1 ? threadId : `${threadId}.${n}`)

export function threadRuns(runs: RunHub): ThreadRuns {
  const known = new Map<string, string>()
  const started = (threadId: string, runId: string): void => {
    known.delete(threadId)
    known.set(threadId, runId)
    const [oldest] = known.keys()
    if (known.size > maxCached && oldest !== undefined) known.delete(oldest)
  }
  return {
    started,
    next: (threadId, latest) =>
      latest === null
        ? threadId
        : nth(threadId, latest === threadId ? 2 : Number(latest.slice(threadId.length + 1)) + 1),
    async latest(threadId) {
      const cached = known.get(threadId)
      if (cached !== undefined) return cached
      let found: string | null = null
      for (let n = 1; await runs.has(nth(threadId, n)); n++) found = nth(threadId, n)
      if (found !== null) started(threadId, found)
      return found
    },
  }
}
