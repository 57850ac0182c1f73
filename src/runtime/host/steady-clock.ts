import type { Clock } from "../driver/host.js"

/**
 * The time of a run, which never goes back. When the clock is set back, or the run is taken up on a machine whose clock is
 * behind, time goes on from the latest moment that the run has seen: no event stands before its cause, and no pause lasts longer
 * than it was meant to.
 *
 * @param since the latest moment that is known of the run.
 */
export const steadyClock = (clock: Clock, since: number): Clock => new SteadyClock(clock, since)

class SteadyClock implements Clock {
  readonly #clock: Clock
  #latest: number
  /** How far the run is ahead of the clock. */
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

  wakeAt(at: number, wake: () => void): () => void {
    this.now()
    return this.#clock.wakeAt(at - this.#ahead, () => {
      // Whatever the clock says by now, that much time has passed.
      this.#latest = Math.max(this.#latest, at)
      wake()
    })
  }
}
