import type { CompleteJournal } from "../runtime/journal/journal.js"

/**
 * Returns a journal that caches the complete list of runs for `forMs` milliseconds, or until this
 * journal creates, releases or deletes a run. Does not cache filtered lists. Changes by other
 * processes can therefore appear in the list with a delay of up to `forMs`.
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
  /** Wraps a method of the journal so that each call also clears the cached list of runs. */
  const changing =
    <Arguments extends unknown[]>(
      method: (this: CompleteJournal, ...args: Arguments) => void | Promise<void>,
    ): ((...args: Arguments) => void | Promise<void>) =>
    (...args) => {
      const changed = method.apply(journal, args)
      cached = null
      return changed instanceof Promise ? changed.finally(() => (cached = null)) : changed
    }
  return {
    ...journal,
    create: changing(journal.create),
    store: changing(journal.store),
    release: changing(journal.release),
    delete: changing(journal.delete),
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
