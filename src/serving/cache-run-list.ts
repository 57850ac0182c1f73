import type { CompleteJournal } from "../runtime/journal/journal.js"

/**
 * Returns the same journal, but caches the result of `list` for `forMs` milliseconds. The hub reads
 * the status of its own runs from memory, so only changes by other processes appear late.
 */
export function cacheRunList(
  journal: CompleteJournal,
  forMs: number,
  now: () => number,
): CompleteJournal {
  let cached: {
    readonly expiresAt: number
    readonly list: ReturnType<CompleteJournal["list"]>
  } | null = null
  return {
    ...journal,
    list() {
      if (cached === null || now() >= cached.expiresAt) {
        const list = journal.list()
        cached = { expiresAt: now() + forMs, list }
        if (list instanceof Promise) list.catch(() => (cached = null))
      }
      return cached.list
    },
  }
}
