import type { Clock } from "../driver/host.js"

/**
 * Creates a clock for a run whose time never decreases. If the system clock is set back, or if the
 * clock of another machine is behind, the time continues from the latest known time of the run.
 * Events stay in order, and delays keep their length.
 *
 * @param since the latest known time of the run, in milliseconds since the epoch
 */
export const steadyClock = (clock: Clock, since: number): Clock => new SteadyClock(clock, since)

class SteadyClock implements Clock {
  readonly #clock: Clock
  #latest: number
  /**
   * Number of milliseconds that are added to the underlying clock. It is greater than 0 if the
   * underlying clock was behind the latest known time of the run.
   */
  #ahead = 0

  constructor(clock: Clock, since: number) {
    this.#clock = clock
    this.#latest = since
  }

  now(): number {
    const read = this.#clock.now()
    if (read + this.#ahead < this.#latest) this.#ahead = this.#latest - read
    this.#latest = read + this.#ahead
    return this.#latest
  }

  wakeAt(time: number, wake: () => void): () => void {
    this.now()
    return this.#clock.wakeAt(time - this.#ahead, () => {
      // The delay has passed, even if the underlying clock was set back in the meantime.
      this.#latest = Math.max(this.#latest, time)
      wake()
    })
  }
}
