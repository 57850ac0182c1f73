import type { CompleteJournal } from "../runtime/journal/journal.js"

/**
 * Returns a journal that caches the result of `list` for `forMs` milliseconds, or until a run is
 * created through it. Changes that other processes make can appear in the list with this delay.
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
