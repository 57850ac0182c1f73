import type { Envelope } from "../../../machines/contract/services.js"
import { failureClassOf } from "../../../machines/model-call/fallback.js"

/**
 * Options of the circuit breaker of a model, which stops calling the model for some time after
 * several failures in a row.
 */
export interface CircuitBreakerOptions {
  /** Number of failures in a row after which no further call is made. */
  readonly failures: number
  /** Time for which no call is made, in milliseconds. After that, one call is made as a test. */
  readonly resetMs: number
}

/** Classes of failures that show that a model is down or overloaded. */
const outages: ReadonlySet<string> = new Set(["timeout", "rate_limited", "unavailable"])

/**
 * A circuit breaker for one model. After several failures in a row, the circuit is open: no calls
 * are made. After some time, one call is made as a probe. If the model is available again, the
 * circuit is closed. Otherwise it stays open.
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
   * Time until which no call is made, in milliseconds since the epoch; null if the circuit is
   * closed.
   */
  get openUntil(): number | null {
    return this.#openUntil
  }

  /**
   * Decides about a call: `call` allows the call, `probe` allows the call as a test of the model,
   * and `refuse` prevents the call. The caller must report the end of an allowed call with `ended`.
   */
  admits(now: number): "call" | "probe" | "refuse" {
    if (this.#openUntil === null) return "call"
    if (now < this.#openUntil || this.#isProbing) return "refuse"
    this.#isProbing = true
    return "probe"
  }

  /** Processes the end of a call. `result` is null if the call was stopped. */
  ended(result: Envelope | null, isProbe: boolean): void {
    if (isProbe) this.#isProbing = false
    if (result === null) return
    const failureClass = result.ok ? null : failureClassOf(result.error)
    if (failureClass === null || !outages.has(failureClass)) {
      this.#failures = 0
      this.#openUntil = null
      return
    }
    this.#failures++
    // A failed call that started before the circuit opened does not extend the time until the
    // probe.
    const opens = this.#openUntil === null && this.#failures >= this.#options.failures
    if (isProbe || opens) this.#openUntil = result.at + this.#options.resetMs
  }
}
