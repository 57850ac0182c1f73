import type { Clock } from "../driver/host.js"

/**
 * The clock of a run that reuses the results of a recorded run. It jumps to the times of the
 * recorded results, and runs in real time only while calls are made.
 */
export class RecordedTime implements Clock {
  readonly #clock: Clock
  #time: number
  /** Number of calls in progress. While it is greater than 0, the clock runs in real time. */
  #running = 0
  /** Time of the underlying clock when this clock last started to run in real time. */
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

  /** Sets the time to `time`, unless it is already later. */
  advance(time: number): void {
    this.#time += Math.max(0, time - this.now())
  }

  /**
   * Lets the clock run in real time during a call. The returned function ends the call and returns
   * the end time. The clock runs until all calls have ended.
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

  /** Calls `act` after pending promise callbacks have run. */
  soon(act: () => void): void {
    this.#clock.wakeAt(this.#clock.now(), act)
  }
}
