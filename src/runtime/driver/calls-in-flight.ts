import { isWatch } from "../../machines/workflow-agent/workflow-call.js"
import { isDeadline, isOverdue } from "../../machines/requests/expiry.js"
import type { LeafCall } from "./host.js"
import type { Leaf } from "./instance.js"
import { SmallMap } from "./small-map.js"

/**
 * The external calls of a run (such as model calls and tool calls) that have started and have no
 * result yet, oldest first.
 */
export class CallsInFlight {
  readonly #calls = new SmallMap<number, Leaf>()
  /**
   * Numbers of the calls that only wait for a deadline, or for a child run that waits for a person.
   * They do not count as work, so a run with only such calls is not busy. null if the run has not
   * made such a call yet.
   */
  #passive: Set<number> | null = null

  /**
   * Number of calls in flight that do work. Calls that only wait for a deadline or a child run are
   * not counted.
   */
  get working(): number {
    return this.#calls.size - (this.#passive?.size ?? 0)
  }

  /**
   * True if no call is in flight. Calls that only wait for a deadline or a child run count as in
   * flight.
   */
  get isEmpty(): boolean {
    return this.#calls.size === 0
  }

  /**
   * Time of the next deadline in milliseconds since the epoch, or undefined if no call waits for a
   * deadline.
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
   * Calls `start` for each call in flight, oldest first. Used after a replay of stored records, in
   * which no calls are made. `start` returns a function that stops the call. `now` is in
   * milliseconds since the epoch.
   */
  startAll(start: (call: LeafCall) => () => void, now: number): void {
    // A call that waits for a passed deadline counts as work, because it ends soon. A call that
    // waits for a child run also counts as work, because the child run may have been answered in
    // the meantime.
    for (const n of this.#passive ?? []) {
      const input = this.#calls.get(n)?.input
      if (isWatch(input) || isOverdue(input, now)) this.#passive?.delete(n)
    }
    // `start` may stop other calls or add new calls, so the loop iterates over a copy.
    const held = this.#calls.values()
    for (const leaf of held) if (this.#calls.has(leaf.n)) leaf.stop = start(leaf)
  }

  /** Stops all calls in flight. The machines that made the calls receive no event. */
  stopAll(): void {
    for (const leaf of this.#calls.values()) leaf.stop?.()
  }
}
