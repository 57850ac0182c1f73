/** Options that limit how often a {@link PacedCall} calls its function. */
export interface Pace {
  /** Minimum time in milliseconds from the start of a call to the start of the next call. */
  readonly everyMs: number
  /**
   * Minimum pause between two calls, as a multiple of the duration of the first call. For example,
   * with 10, a call of 50 ms is followed by a pause of at least 500 ms. The pause prevents slow
   * calls from overloading the server. Default: 0.
   */
  readonly rest?: number
}

/**
 * Limits how often a function is called. After each request, the function is called at least once.
 * Requests during a call or a pause share the next call, and calls do not overlap.
 */
export class PacedCall {
  readonly #call: (signal: AbortSignal) => Promise<void>
  readonly #pace: Pace
  readonly #stopped = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isCalling = false
  #isRequested = false
  /** Whether {@link requestNow} was called. If true, the next call starts without a pause. */
  #isUrgent = false
  /** Earliest start time of the next call, as a value of `performance.now()`. */
  #nextAt = 0

  /**
   * Creates a rate limiter for the function `call`, with the limits in `pace`. The promise that
   * `call` returns must never reject. The method {@link stop} aborts the signal that `call`
   * receives.
   */
  constructor(call: (signal: AbortSignal) => Promise<void>, pace: Pace) {
    this.#call = call
    this.#pace = pace
  }

  request(): void {
    this.#isRequested = true
    if (this.#isCalling || this.#timer !== undefined || this.#stopped.signal.aborted) return
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, this.#nextAt - performance.now()))
  }

  /** Requests a call of the function without waiting for the end of the current pause. */
  requestNow(): void {
    this.#nextAt = 0
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isUrgent = true
    this.request()
  }

  /** Prevents further calls and aborts the call in progress. */
  stop(): void {
    this.#stopped.abort()
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#timer = undefined
    this.#isRequested = false
    this.#isUrgent = false
    this.#isCalling = true
    const startedAt = performance.now()
    await this.#call(this.#stopped.signal)
    this.#isCalling = false
    const now = performance.now()
    const { everyMs, rest = 0 } = this.#pace
    this.#nextAt = this.#isUrgent
      ? 0
      : Math.max(startedAt + everyMs, now + rest * (now - startedAt))
    if (this.#isRequested) this.request()
  }
}
