/** A run that can do without most of what it holds, for a while. */
export interface Unloadable {
  /** Whether it was put aside, or why not: `never` for a journal that cannot give it back at once. */
  putAside(): "done" | "not now" | "never"
}

/**
 * Runs that wait for a person. The ones that have come last stay as they are; of the others only what their journal needs to give them back
 * is kept, so that a process may have very many of them.
 */
export class IdleRunCache<Run extends Unloadable> {
  readonly #most: number
  /** The one that has waited longest comes first. */
  readonly #waiting = new Set<Run>()
  #isUseless = false

  constructor(most: number) {
    this.#most = Math.max(1, most)
  }

  rests(run: Run): void {
    if (this.#isUseless) return
    this.#waiting.delete(run)
    this.#waiting.add(run)
    if (this.#waiting.size <= this.#most) return
    const [longest] = this.#waiting
    if (longest === undefined) return
    this.#waiting.delete(longest)
    if (longest.putAside() !== "never") return
    this.#isUseless = true
    this.#waiting.clear()
  }

  acts(run: Run): void {
    this.#waiting.delete(run)
  }
}
