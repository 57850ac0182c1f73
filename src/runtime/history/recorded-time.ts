import type { Clock } from "../driver/host.js"

/**
 * Clock of a run that reuses the recorded results of another run. It runs in real time only while
 * calls are made. Otherwise it stands still until it is set to the time of the next recorded
 * result.
 */
export class RecordedTime implements Clock {
  readonly #clock: Clock
  #time: number
  /**
   * Number of calls in progress. If it is 0, this clock stands still. Otherwise it runs in real
   * time.
   */
  #running = 0
  /**
   * Time that the real clock (`#clock`) showed when the first of the calls in progress started. In
   * milliseconds since the epoch.
   */
  #since = 0

  constructor(startedAt: number, clock: Clock) {
    this.#time = startedAt
    this.#clock = clock
  }

  get isRunning(): boolean {
    return this.#running > 0
  }

  now(): number {
    return this.#time + (this.isRunning ? Math.max(0, this.#clock.now() - this.#since) : 0)
  }

  /** Sets this clock to `time`, unless this clock already shows a later time. */
  advance(time: number): void {
    this.#time += Math.max(0, time - this.now())
  }

  /**
   * Starts a call, during which this clock runs in real time and does not stand still. The returned
   * function ends the call and returns the end time. If several calls overlap, the clock runs until
   * all of them have ended.
   */
  startCall(): () => number {
    if (this.#running++ === 0) this.#since = this.#clock.now()
    let endedAt: number | null = null
    return () => {
      if (endedAt !== null) return endedAt
      endedAt = this.now()
      if (--this.#running === 0) this.#time = endedAt
      return endedAt
    }
  }

  wakeAt(time: number, wake: () => void): () => void {
    return this.#clock.wakeAt(this.#clock.now() + Math.max(0, time - this.now()), () => {
      this.advance(time)
      wake()
    })
  }

  /**
   * Calls `act` after the callbacks of pending promises, because these callbacks may start calls.
   */
  soon(act: () => void): void {
    this.#clock.wakeAt(this.#clock.now(), act)
  }
}
