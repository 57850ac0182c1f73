import { dropOldest } from "../folds/drop-oldest.js"
import type { LogEntry, RunLog } from "../folds/run-log.js"

/**
 * The entries of an event list that match a filter. Each entry is tested once, and a call without a
 * response is tested again after its response. The tests for a long list are spread over several
 * animation frames, so that the page stays responsive.
 */
export class FilteredEntries {
  readonly #log: RunLog
  readonly #matches: (entry: LogEntry) => boolean
  readonly #matching: number[] = []
  /**
   * Indexes of calls that do not match the filter and have no response yet. They are tested again
   * after the response.
   */
  readonly #open = new Set<number>()
  #tested = 0

  constructor(log: RunLog, matches: (entry: LogEntry) => boolean) {
    this.#log = log
    this.#matches = matches
  }

  /** Indexes of the entries that match the filter, in ascending order. */
  get indexes(): readonly number[] {
    return this.#matching
  }

  /**
   * Tests further entries for at most about `ms` milliseconds. Returns true if no untested entries
   * remain.
   */
  advance(ms: number): boolean {
    const { first, entries } = this.#log
    const end = first + entries.length
    const deadline = performance.now() + ms
    dropOldest(this.#matching, (index) => index < first)
    this.#tested = Math.max(this.#tested, first)
    for (const index of this.#open) {
      const entry = this.#log.entryAt(index)
      if (entry?.call?.end === null) continue
      this.#open.delete(index)
      if (entry !== undefined && this.#matches(entry)) this.#insert(index)
    }
    for (; this.#tested < end; this.#tested += 1) {
      if (this.#tested % 50 === 0 && performance.now() > deadline) return false
      const entry = this.#log.entryAt(this.#tested)
      if (entry === undefined) break
      if (this.#matches(entry)) this.#matching.push(entry.index)
      else if (entry.call?.end === null) this.#open.add(entry.index)
    }
    return true
  }

  /**
   * Returns the position of the entry `index` in the list of matching entries. Returns null if the
   * entry does not match.
   */
  positionOf(index: number): number | null {
    const position = this.#search(index)
    return this.#matching[position] === index ? position : null
  }

  #insert(index: number): void {
    this.#matching.splice(this.#search(index), 0, index)
  }

  /** Returns the position of the first matching entry whose index is at least `index`. */
  #search(index: number): number {
    let [low, high] = [0, this.#matching.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#matching[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low
  }
}
