import { dropOldest } from "../folds/drop-oldest.js"
import type { LogEntry, RunLog } from "../folds/run-log.js"

/**
 * The entries of an event list that match a filter. The filter is applied once to each entry. If a
 * call without a response does not match, the filter is applied again after the response. For a
 * long list, this work is spread over several animation frames, so that the page stays responsive.
 */
export class FilteredEntries {
  readonly #log: RunLog
  readonly #matches: (entry: LogEntry) => boolean
  readonly #matching: number[] = []
  /**
   * Indexes of calls that have no response yet and do not match the filter. The filter is applied
   * to them again after the response.
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
   * Applies the filter to more entries of the list, for about `ms` milliseconds. Returns true if
   * the filter has been applied to all entries.
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

  /**
   * Searches the sorted list of matching entries. Returns the position of the first entry whose
   * index in the event list is at least `index`.
   */
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
