/** A run that can drop most of its memory while it is idle. */
export interface Unloadable {
  /**
   * Unloads the run. Returns `busy` if the run is not idle, and `unsupported` if its journal cannot
   * load synchronously.
   */
  unload(): "unloaded" | "busy" | "unsupported"
}

/**
 * A least-recently-used cache of runs that wait for a person. It keeps the last `capacity` runs
 * loaded and unloads the others, so that one process can have very many idle runs.
 */
export class IdleRunCache<Run extends Unloadable> {
  readonly #capacity: number
  /** Oldest first. */
  readonly #loaded = new Set<Run>()
  #isSupported = true

  constructor(capacity: number) {
    this.#capacity = Math.max(1, capacity)
  }

  /** Makes a run the most recent one. Evicts the oldest run if the cache is full. */
  touch(run: Run): void {
    if (!this.#isSupported) return
    this.#loaded.delete(run)
    this.#loaded.add(run)
    if (this.#loaded.size > this.#capacity) this.#evict()
  }

  /** Removes a run that is no longer idle. */
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
