import { failureClassOf } from "../../../machines/model-call/failure-class.js"
import type { CallWait } from "../../../machines/contract/model-event.js"
import type { Envelope, ModelAnswer } from "../../../machines/contract/services.js"
import { LastMinute } from "./last-minute.js"
import type { ModelLimit } from "./model-limit.js"
import type { CallUse } from "./shared-limits.js"

/**
 * Enforces the rate limits of one model. Decides when the next call may start, based on the calls
 * and tokens of the last minute and on the `Retry-After` headers of responses.
 */
export class CallRate {
  readonly #limit: ModelLimit
  readonly #requests = new LastMinute()
  readonly #tokens = new LastMinute()
  /**
   * Number of tokens of the last response. The token limit is checked with the estimate that each
   * running call uses the same number.
   */
  #lastTokens = 0
  #pausedUntil = 0

  constructor(limit: ModelLimit) {
    this.#limit = limit
  }

  /**
   * Returns the limit that delays the next call, or null if the call may start now. `now` is in
   * milliseconds since the epoch. `running` is the number of running calls.
   */
  waitAt(now: number, running: number): CallWait | null {
    const { requestsPerMinute = Infinity, tokensPerMinute = Infinity } = this.#limit
    if (this.#pausedUntil > now) return { limit: "Retry-After", until: this.#pausedUntil }
    if (this.#requests.sum(now) >= requestsPerMinute)
      return { limit: "requestsPerMinute", until: this.#requests.nextDecrease() }
    const expected = running * this.#lastTokens
    // If no call is running and no tokens were used in the last minute, the call may always start.
    if (this.#tokens.sum(now) + expected >= tokensPerMinute)
      return { limit: "tokensPerMinute", until: this.#tokens.nextDecrease() }
    return null
  }

  started(now: number): void {
    if (this.#limit.requestsPerMinute !== undefined) this.#requests.add(now, 1)
  }

  /**
   * Counts the tokens of a finished call for the limit of the last 60 seconds. Delays further calls
   * if the response has requested a delay. Returns the tokens and the delay.
   */
  ended(result: Envelope): CallUse {
    const tokens = this.#tokensOf(result)
    if (tokens !== null) {
      this.#lastTokens = tokens
      this.#tokens.add(result.at, tokens)
    }
    const pauseMs = this.#pauseOf(result)
    if (pauseMs !== null) this.#pausedUntil = Math.max(this.#pausedUntil, result.at + pauseMs)
    return { tokens, pauseMs }
  }

  #tokensOf(result: Envelope): number | null {
    if (!result.ok || this.#limit.tokensPerMinute === undefined) return null
    // The cast is safe: the value of a successful model call is a `ModelAnswer`.
    const { usage } = result.value as ModelAnswer
    return usage === null ? null : usage.inputTokens + usage.outputTokens
  }

  #pauseOf(result: Envelope): number | null {
    const { maxRetryAfterMs } = this.#limit
    if (result.ok || maxRetryAfterMs === undefined) return null
    const { retryAfterMs, status } = result.error
    if (retryAfterMs === undefined) return null
    const isOverloaded = failureClassOf(result.error) === "rate_limited" || status === 503
    return isOverloaded ? Math.min(retryAfterMs, maxRetryAfterMs) : null
  }
}
