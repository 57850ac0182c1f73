/** How often a {@link PacedCall} calls its function. */
export interface Pace {
  /** Minimum time in milliseconds from the start of a call to the start of the next call. */
  readonly everyMs: number
  /**
   * Minimum pause after a call, as a multiple of the call's duration, so that slow calls do not
   * overload the server. Default: 0.
   */
  readonly rest?: number
}

/**
 * A rate limiter for calls of one function. After each request, at least one call starts. Requests
 * during a call or a pause share the next call, and calls do not overlap.
 */
export class PacedCall {
  readonly #call: (signal: AbortSignal) => Promise<void>
  readonly #pace: Pace
  readonly #stopped = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isCalling = false
  #isRequested = false
  /** Whether {@link requestNow} was called. The next call then starts without a pause. */
  #isUrgent = false
  /** Earliest start time of the next call, as a value of `performance.now()`. */
  #nextAt = 0

  /** The promise of `call` must not reject. {@link stop} aborts the signal that `call` receives. */
  constructor(call: (signal: AbortSignal) => Promise<void>, pace: Pace) {
    this.#call = call
    this.#pace = pace
  }

  request(): void {
    this.#isRequested = true
    if (this.#isCalling || this.#timer !== undefined || this.#stopped.signal.aborted) return
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, this.#nextAt - performance.now()))
  }

  /** Requests a call and skips the current pause. */
  requestNow(): void {
    this.#nextAt = 0
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isUrgent = true
    this.request()
  }

  /** Stops all calls, including the one in progress. */
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
