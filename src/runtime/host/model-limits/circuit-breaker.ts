import type { FailureClass } from "../../../machines/contract/activity.js"
import type { Envelope } from "../../../machines/contract/services.js"
import { failureClassOf } from "../../../machines/model-call/failure-class.js"

/**
 * Options of a model's circuit breaker. After several failures in a row, the circuit breaker
 * prevents all calls of the model for some time.
 */
export interface CircuitBreakerOptions {
  /** Number of failures in a row after which no further calls are made. */
  readonly failures: number
  /**
   * Time in milliseconds for which no calls are made after the configured number of failures. Then
   * a single call tests whether the model is available again.
   */
  readonly resetMs: number
}

/**
 * Whether a failure of this class counts for the circuit breaker, because it shows that the model
 * is unavailable or overloaded.
 */
const opensCircuit: Readonly<Record<FailureClass, boolean>> = {
  timeout: true,
  rate_limited: true,
  unavailable: true,
  malformed: false,
  context_too_long: false,
  refused: false,
}

/**
 * Circuit breaker of one model. After several failures in a row, the circuit opens, and no calls
 * are made. After some time, one call is made as a test. If it succeeds, the circuit closes and all
 * calls are allowed again. If it fails, the circuit stays open.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  #failures = 0
  #openUntil: number | null = null
  #isProbing = false

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
  }

  /**
   * Time until which no calls are made, in milliseconds since the epoch. null if the circuit is
   * closed, so that calls are allowed.
   */
  get openUntil(): number | null {
    return this.#openUntil
  }

  /**
   * Decides whether a call may start. `call` allows the call, and `refuse` prevents it. `probe`
   * allows it as the single call that tests whether the model is available again.
   *
   * The caller must report the end of each allowed call with `ended`. `now` is in milliseconds
   * since the epoch.
   */
  admits(now: number): "call" | "probe" | "refuse" {
    if (this.#openUntil === null) return "call"
    if (now < this.#openUntil || this.#isProbing) return "refuse"
    this.#isProbing = true
    return "probe"
  }

  /**
   * Updates the circuit after the end of a call. `result` is null if the call was stopped.
   * `isProbe` is true if `admits` has returned `probe` for the call.
   */
  ended(result: Envelope | null, isProbe: boolean): void {
    if (isProbe) this.#isProbing = false
    if (result === null) return
    const failureClass = result.ok ? null : failureClassOf(result.error)
    if (failureClass === null || !opensCircuit[failureClass]) {
      this.#failures = 0
      this.#openUntil = null
      return
    }
    this.#failures++
    // If a call started before the circuit opened and then failed, the time until the test does not
    // change.
    const opens = this.#openUntil === null && this.#failures >= this.#options.failures
    if (isProbe || opens) this.#openUntil = result.at + this.#options.resetMs
  }
}
