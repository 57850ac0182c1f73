import type { CompleteJournal } from "../runtime/journal/journal.js"

/**
 * Returns a journal that caches the complete list of runs for `forMs` milliseconds, or until a run
 * is created with this journal. Filtered lists are not cached. Changes by other processes can
 * therefore appear in the list with a delay of up to `forMs`.
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
    create(header) {
      const created = journal.create(header)
      cached = null
      return created instanceof Promise ? created.finally(() => (cached = null)) : created
    },
    list(filter) {
      if (filter !== undefined) return journal.list(filter)
      if (cached === null || now() >= cached.expiresAt) {
        const list = journal.list()
        cached = { expiresAt: now() + forMs, list }
        if (list instanceof Promise) list.catch(() => (cached = null))
      }
      return cached.list
    },
  }
}
