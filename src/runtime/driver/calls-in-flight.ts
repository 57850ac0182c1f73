import { isDeadline, isOverdue } from "../../machines/requests/expiry.js"
import type { LeafCall } from "./host.js"
import type { Leaf } from "./instance.js"

/** The leaf calls of a run that have started and have no result yet, oldest first. */
export class CallsInFlight {
  readonly #calls = new Map<number, Leaf>()
  /** Numbers of the calls that only wait for a deadline. These calls do not count as work. */
  #deadlines: Set<number> | null = null

  /** Number of calls in flight, without calls that only wait for a deadline. */
  get working(): number {
    return this.#calls.size - (this.#deadlines?.size ?? 0)
  }

  /** Whether no call is in flight, including calls that only wait for a deadline. */
  get isEmpty(): boolean {
    return this.#calls.size === 0
  }

  get(n: number): Leaf | undefined {
    return this.#calls.get(n)
  }

  has(n: number): boolean {
    return this.#calls.has(n)
  }

  add(leaf: Leaf): void {
    this.#calls.set(leaf.n, leaf)
    if (isDeadline(leaf.input)) (this.#deadlines ??= new Set()).add(leaf.n)
  }

  delete(n: number): void {
    this.#calls.delete(n)
    this.#deadlines?.delete(n)
  }

  /**
   * Starts all calls after the past of a run has been replayed, oldest first. `now` is in
   * milliseconds since the epoch.
   */
  startAll(start: (call: LeafCall) => () => void, now: number): void {
    // A deadline that has already passed counts as work, because its call ends soon.
    for (const n of this.#deadlines ?? [])
      if (isOverdue(this.#calls.get(n)?.input, now)) this.#deadlines?.delete(n)
    // Starting a call may stop other calls or add new ones, so the calls are copied first.
    const held = [...this.#calls.values()]
    for (const leaf of held) if (this.#calls.has(leaf.n)) leaf.stop = start(leaf)
  }

  /** Stops all calls. Their machines receive no event. */
  stopAll(): void {
    for (const leaf of this.#calls.values()) leaf.stop?.()
  }
}
