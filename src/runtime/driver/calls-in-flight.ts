import { isDeadline, isOverdue } from "../../machines/requests/expiry.js"
import type { LeafCall } from "./host.js"
import type { Leaf } from "./instance.js"

/** The leaf calls of a run that have no result yet, oldest first. */
export class CallsInFlight {
  readonly #calls = new Map<number, Leaf>()
  /** The calls that are only deadlines. They do not count as work. */
  #deadlines: Set<number> | null = null

  /** The number of calls, deadlines not included. */
  get working(): number {
    return this.#calls.size - (this.#deadlines?.size ?? 0)
  }

  /** Whether there are no calls, deadlines included. */
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

  /** Starts all calls after a replay, oldest first. `now` is in milliseconds since the epoch. */
  startAll(start: (call: LeafCall) => () => void, now: number): void {
    // A deadline that has passed counts as work: the run does not wait until it has ended.
    for (const n of this.#deadlines ?? [])
      if (isOverdue(this.#calls.get(n)?.input, now)) this.#deadlines?.delete(n)
    // A call that is started here may stop other calls or start new ones.
    const held = [...this.#calls.values()]
    for (const leaf of held) if (this.#calls.has(leaf.n)) leaf.stop = start(leaf)
  }

  /** Stops all calls without an event for their machines. */
  stopAll(): void {
    for (const leaf of this.#calls.values()) leaf.stop?.()
  }
}
