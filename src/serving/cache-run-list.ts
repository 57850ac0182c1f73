import type { CompleteJournal } from "../runtime/journal/journal.js"

/**
 * The same journal, whose list is read once in so many milliseconds at most: thousands of runs are not gone through for every request.
 * How the runs of this process stand is told by themselves, so only what others do is seen that much later.
 */
export function cacheRunList(
  journal: CompleteJournal,
  forMs: number,
  now: () => number,
): CompleteJournal {
  let kept: { readonly until: number; readonly list: ReturnType<CompleteJournal["list"]> } | null =
    null
  return {
    ...journal,
    list() {
      if (kept === null || now() >= kept.until) {
        const list = journal.list()
        kept = { until: now() + forMs, list }
        if (list instanceof Promise) list.catch(() => (kept = null))
      }
      return kept.list
    },
  }
}
