/** A run that can free most of its memory while it waits for a person. */
export interface Unloadable {
  /**
   * Removes the data of the run from memory. Returns `busy` if the run is not waiting. Returns
   * `unsupported` if the run cannot be reloaded synchronously, because `load` of the journal
   * returns a promise or does not find the run.
   */
  unload(): "unloaded" | "busy" | "unsupported"
}

/**
 * Cache of the runs that wait for a person. At most `capacity` runs stay in memory, and the least
 * recently used runs are unloaded, so that one process can manage many thousands of waiting runs.
 */
export class IdleRunCache<Run extends Unloadable> {
  readonly #capacity: number
  /** Runs in memory. The least recently used run is the first. */
  readonly #loaded = new Set<Run>()
  #isSupported = true

  constructor(capacity: number) {
    this.#capacity = Math.max(1, capacity)
  }

  /**
   * Marks a run as the most recently used run. If more than `capacity` runs are in memory, unloads
   * the least recently used run.
   */
  touch(run: Run): void {
    if (!this.#isSupported) return
    this.#loaded.delete(run)
    this.#loaded.add(run)
    if (this.#loaded.size > this.#capacity) this.#evict()
  }

  /** Removes a run from the cache when it no longer waits for a person. Does not unload the run. */
  delete(run: Run): void {
    this.#loaded.delete(run)
  }

  #evict(): void {
    const [oldest] = this.#loaded
    if (oldest === undefined) return
    this.#loaded.delete(oldest)
    if (oldest.unload() !== "unsupported") return
    this.#isSupported = false
    this.#loaded.clear()
  }
}
