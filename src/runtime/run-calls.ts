import type { Envelope } from "../machines/contract.js"
import type { Driver } from "./driver.js"
import type { Host, LeafCall, LiveAnswers } from "./host.js"

/** The calls of one run: held back while its past is fed, then carried out, and stopped for good when this process lets go of it. */
export class RunCalls {
  readonly #host: Host
  readonly #completed: (call: LeafCall, result: Envelope) => void
  readonly #live: LiveAnswers
  #held: Map<number, LeafCall> | null = new Map()
  #isOver = false

  constructor(host: Host, completed: (call: LeafCall, result: Envelope) => void, live: LiveAnswers) {
    this.#host = host
    this.#live = live
    this.#completed = completed
  }

  /** Whether the past is still being fed. */
  get areHeld(): boolean {
    return this.#held !== null
  }

  start(call: LeafCall): (() => void) | null {
    if (this.#held === null) return this.#carryOut(call)
    this.#held.set(call.n, call)
    return null
  }

  /** Carries out what the past has left without a result, in the order in which it was started. */
  letGo(driver: Driver): void {
    const calls = [...(this.#held ?? new Map<number, LeafCall>()).values()]
    this.#held = null
    for (const call of calls.sort((one, other) => one.n - other.n)) if (driver.awaits(call.n)) driver.carriesOut(call.n, this.#carryOut(call))
  }

  /** Nothing is carried out any more. */
  stop(driver: Driver): void {
    this.#isOver = true
    this.#held = null
    driver.abandon()
  }

  #carryOut(call: LeafCall): () => void {
    return this.#isOver ? () => {} : this.#host.start(call, (result) => this.#completed(call, result), this.#live)
  }
}
