import type { Clock } from "../driver/host.js"

/**
 * Clock of a run that reuses the recorded results of another run. It jumps to the times of the
 * recorded results, and runs in real time only while calls are made.
 */
export class RecordedTime implements Clock {
  readonly #clock: Clock
  #time: number
  /** Number of calls in progress. While it is greater than 0, this clock runs in real time. */
  #running = 0
  /**
   * Time of the underlying clock when this clock last started to run in real time, in milliseconds
   * since the epoch.
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
   * Runs this clock in real time during a call. The returned function ends the call and returns the
   * end time. If several calls overlap, the clock runs until all of them have ended.
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

  /** Calls `act` after the callbacks of pending promises have run. */
  soon(act: () => void): void {
    this.#clock.wakeAt(this.#clock.now(), act)
  }
}
