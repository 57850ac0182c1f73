import type { RunHub } from "../../../serving/run-hub.js"

/** As many threads are remembered; others are looked up in the journal. */
const mostKept = 10_000

/** The runs of a thread: the first has its id, those after it `id.2`, `id.3`. */
export interface ThreadRuns {
  /** The id of the latest; null where there is none. */
  latest(threadId: string): Promise<string | null>
  /** The id that comes after the latest. */
  next(threadId: string, latest: string | null): string
  began(threadId: string, runId: string): void
}

const nth = (threadId: string, n: number): string => (n === 1 ? threadId : `${threadId}.${n}`)

export function threadRuns(runs: RunHub): ThreadRuns {
  const known = new Map<string, string>()
  const began = (threadId: string, runId: string): void => {
    known.delete(threadId)
    known.set(threadId, runId)
    const [oldest] = known.keys()
    if (known.size > mostKept && oldest !== undefined) known.delete(oldest)
  }
  return {
    began,
    next: (threadId, latest) =>
      latest === null
        ? threadId
        : nth(threadId, latest === threadId ? 2 : Number(latest.slice(threadId.length + 1)) + 1),
    async latest(threadId) {
      const kept = known.get(threadId)
      if (kept !== undefined) return kept
      let found: string | null = null
      for (let n = 1; await runs.has(nth(threadId, n)); n++) found = nth(threadId, n)
      if (found !== null) began(threadId, found)
      return found
    },
  }
}
