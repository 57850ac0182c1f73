import type { Clock } from "../driver/host.js"

/**
 * The time of a run that uses the recorded results of another run. It jumps to the times of the
 * recorded results, and passes in real time only while calls are made.
 */
export class RecordedTime implements Clock {
  readonly #clock: Clock
  #time: number
  /** Number of calls that are made at the moment. */
  #running = 0
  /** Time of the underlying clock when the time began to pass. */
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

  /** Sets the time to `time`. Does nothing if this time has passed. */
  advance(time: number): void {
    this.#time += Math.max(0, time - this.now())
  }

  /** Lets the time pass until the returned function is called. It returns the time of its call. */
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

  /** Calls `act` after all promises that are already resolved have been handled. */
  soon(act: () => void): void {
    this.#clock.wakeAt(this.#clock.now(), act)
  }
}
