/** A run that can free most of its memory while it is idle. */
export interface Unloadable {
  /**
   * Unloads the run from memory. Returns `busy` if the run is not idle, or `unsupported` if the
   * journal's `load` method returns a promise.
   */
  unload(): "unloaded" | "busy" | "unsupported"
}

/**
 * A least-recently-used cache of runs that wait for a person. At most `capacity` runs stay loaded
 * and all others are unloaded, so that one process can manage many thousands of waiting runs.
 */
export class IdleRunCache<Run extends Unloadable> {
  readonly #capacity: number
  /** Loaded runs. The least recently used run is the first. */
  readonly #loaded = new Set<Run>()
  #isSupported = true

  constructor(capacity: number) {
    this.#capacity = Math.max(1, capacity)
  }

  /**
   * Marks a run as the most recently used one. If more than `capacity` runs are loaded, the least
   * recently used run is unloaded.
   */
  touch(run: Run): void {
    if (!this.#isSupported) return
    this.#loaded.delete(run)
    this.#loaded.add(run)
    if (this.#loaded.size > this.#capacity) this.#evict()
  }

  /** Removes a run from the cache, because it no longer waits for a person. */
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
