/**
 * The due times of a run's pauses and deadlines, in milliseconds since the epoch. Each pause or
 * deadline is a call with a call number, which is the key (`n`).
 */
export interface DueTimes {
  add(n: number, until: number): void
  remove(n: number): void
  has(n: number): boolean
  /** Returns the earliest due time in milliseconds since the epoch, or null if there is none. */
  earliest(): number | null
  /**
   * Returns the pauses and deadlines that are due at `time` or earlier, sorted by due time. `n` is
   * the call number, and `until` is the due time. The entries are not removed.
   */
  upTo(time: number): ReadonlyArray<{ readonly n: number; readonly until: number }>
}

export function dueTimes(): DueTimes {
  const waiting = new Map<number, number>()
  /**
   * All due times in descending order, so that the earliest is the last entry. Entries with the
   * same time are in descending order of call number. A removed call stays in this list until it is
   * the last entry.
   */
  const order: { readonly n: number; readonly until: number }[] = []

  function dropGone(): void {
    for (let last = order.at(-1); last !== undefined && !waiting.has(last.n); last = order.at(-1))
      order.pop()
  }

  return {
    add(n, until) {
      waiting.set(n, until)
      let [low, high] = [0, order.length]
      while (low < high) {
        const middle = (low + high) >> 1
        const other = order[middle]
        if (other !== undefined && (other.until > until || (other.until === until && other.n > n)))
          low = middle + 1
        else high = middle
      }
      order.splice(low, 0, { n, until })
    },
    remove: (n) => void waiting.delete(n),
    has: (n) => waiting.has(n),
    earliest() {
      dropGone()
      return order.at(-1)?.until ?? null
    },
    upTo(time) {
      const due: { readonly n: number; readonly until: number }[] = []
      for (let last = order.at(-1); last !== undefined && last.until <= time; last = order.at(-1)) {
        order.pop()
        if (waiting.has(last.n)) due.push(last)
      }
      return due
    },
  }
}
