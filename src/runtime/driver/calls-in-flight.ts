import { isWatch } from "../../machines/workflow-agent/workflow-call.js"
import { isDeadline, isOverdue } from "../../machines/requests/expiry.js"
import type { LeafCall } from "./host.js"
import type { Leaf } from "./instance.js"
import { SmallMap } from "./small-map.js"

/** The leaf calls of a run that have started and have no result yet, oldest first. */
export class CallsInFlight {
  readonly #calls = new SmallMap<number, Leaf>()
  /**
   * Numbers of the passive calls, which do not count as work: a passive call only waits for a
   * deadline, or for a child run that waits for a person. null if there has been no passive call
   * yet.
   */
  #passive: Set<number> | null = null

  /**
   * Number of calls in flight, without passive calls, which only wait for a deadline or a child
   * run.
   */
  get working(): number {
    return this.#calls.size - (this.#passive?.size ?? 0)
  }

  /**
   * Whether no call is in flight. Calls that only wait for a deadline or a child run count as in
   * flight.
   */
  get isEmpty(): boolean {
    return this.#calls.size === 0
  }

  /**
   * Time at which the next deadline passes, in milliseconds since the epoch; undefined if no call
   * waits for a deadline.
   */
  get nextDeadline(): number | undefined {
    let next: number | undefined
    for (const n of this.#passive ?? []) {
      const input = this.#calls.get(n)?.input
      if (isDeadline(input) && (next === undefined || input.until < next)) next = input.until
    }
    return next
  }

  get(n: number): Leaf | undefined {
    return this.#calls.get(n)
  }

  has(n: number): boolean {
    return this.#calls.has(n)
  }

  add(leaf: Leaf): void {
    this.#calls.add(leaf.n, leaf)
    if (isDeadline(leaf.input) || isWatch(leaf.input)) (this.#passive ??= new Set()).add(leaf.n)
  }

  delete(n: number): void {
    this.#calls.delete(n)
    this.#passive?.delete(n)
  }

  /**
   * Starts all calls in this list, oldest first. Called after the stored records of a run have been
   * replayed. `now` is in milliseconds since the epoch.
   */
  startAll(start: (call: LeafCall) => () => void, now: number): void {
    // A deadline that has already passed counts as work, because its call ends soon. So does a call
    // that watches a child run, because the child run may have been answered in the meantime.
    for (const n of this.#passive ?? []) {
      const input = this.#calls.get(n)?.input
      if (isWatch(input) || isOverdue(input, now)) this.#passive?.delete(n)
    }
    // Starting a call may stop other calls or add new ones, so a copy of the list is used.
    const held = this.#calls.values()
    for (const leaf of held) if (this.#calls.has(leaf.n)) leaf.stop = start(leaf)
  }

  /** Stops all calls without sending an event to their machines. */
  stopAll(): void {
    for (const leaf of this.#calls.values()) leaf.stop?.()
  }
}
