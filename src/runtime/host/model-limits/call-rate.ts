import { failureClassOf } from "../../../machines/model-call/fallback.js"
import type { CallWait } from "../../../machines/contract/model-event.js"
import type { Envelope, ModelAnswer } from "../../../machines/contract/services.js"
import { LastMinute } from "./last-minute.js"
import type { ModelLimit } from "./model-limit.js"

/** Decides when the next call of a model may start: the calls and tokens of the last minute, and `Retry-After`. */
export class CallRate {
  readonly #limit: ModelLimit
  readonly #requests = new LastMinute()
  readonly #tokens = new LastMinute()
  /** Tokens of the last response: the expected tokens of each running call. */
  #lastTokens = 0
  #pausedUntil = 0

  constructor(limit: ModelLimit) {
    this.#limit = limit
  }

  /** Returns why the next call must wait, or null if it may start now. */
  waitAt(now: number, running: number): CallWait | null {
    const { requestsPerMinute = Infinity, tokensPerMinute = Infinity } = this.#limit
    if (this.#pausedUntil > now) return { limit: "Retry-After", until: this.#pausedUntil }
    if (this.#requests.sum(now) >= requestsPerMinute)
      return { limit: "requestsPerMinute", until: this.#requests.nextDecrease() }
    const expected = running * this.#lastTokens
    // Without running calls and earlier tokens, every call may start.
    if (this.#tokens.sum(now) + expected >= tokensPerMinute)
      return { limit: "tokensPerMinute", until: this.#tokens.nextDecrease() }
    return null
  }

  started(now: number): void {
    if (this.#limit.requestsPerMinute !== undefined) this.#requests.add(now, 1)
  }

  ended(result: Envelope): void {
    if (result.ok) {
      if (this.#limit.tokensPerMinute === undefined) return
      // The cast is safe: the value of a successful model call is a model response.
      const { usage } = result.value as ModelAnswer
      if (usage === null) return
      this.#lastTokens = usage.inputTokens + usage.outputTokens
      this.#tokens.add(result.at, this.#lastTokens)
      return
    }
    const { maxRetryAfterMs } = this.#limit
    const { retryAfterMs, status } = result.error
    if (maxRetryAfterMs === undefined || retryAfterMs === undefined) return
    if (failureClassOf(result.error) !== "rate_limited" && status !== 503) return
    const until = result.at + Math.min(retryAfterMs, maxRetryAfterMs)
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
  }
}
