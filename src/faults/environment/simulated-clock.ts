import type { Clock } from "../../runtime/driver/host.js"

interface Timer {
  readonly time: number
  /**
   * Decides which timer fires first if several timers have the same time. The timer with the lowest
   * number fires first.
   */
  readonly order: number
  readonly wake: () => void
  /**
   * Whether the run has set this timer. False if a simulated service has set it to delay a
   * response. Only timers of the run are counted in `timersOfRun`.
   */
  readonly isOfRun: boolean
}

/**
 * The clock of a simulated process. Time passes only when `advance` or `set` is called. Timers with
 * the same time fire by their `order`.
 */
export class SimulatedClock implements Clock {
  /** Timers sorted by time in descending order, so that the next timer to fire is the last item. */
  readonly #timers: Timer[] = []
  #now: number
  #ofRun = 0
  #lastOrder = 0

  constructor(now: number) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  wakeAt(time: number, wake: () => void): () => void {
    return this.#add({ time, order: this.nextOrder(), wake, isOfRun: true })
  }

  /**
   * Reserves an order number for a timer that will be set later. If several timers have the same
   * time, the timer with the lowest number fires first.
   */
  nextOrder(): number {
    return ++this.#lastOrder
  }

  /**
   * Sets a timer that delays the response of a simulated service. `order` is a number from
   * `nextOrder`. The timer is not included in `timersOfRun`, the number of timers that the run has
   * set.
   */
  wakeService(time: number, order: number, wake: () => void): void {
    this.#add({ time, order, wake, isOfRun: false })
  }

  /** Number of timers that the run has set and that have not fired. */
  get timersOfRun(): number {
    return this.#ofRun
  }

  /** Sets the clock to a time without firing timers. */
  set(time: number): void {
    this.#now = time
  }

  /**
   * Moves the clock to the time of the next timer and fires this timer. Returns false if there is
   * no timer with a time up to `until`.
   */
  advance(until = Number.POSITIVE_INFINITY): boolean {
    const next = this.#timers.at(-1)
    if (next === undefined || next.time > until) return false
    this.#now = Math.max(this.#now, next.time)
    this.#remove(next)
    next.wake()
    return true
  }

  #add(timer: Timer): () => void {
    this.#timers.splice(this.#indexOf(timer), 0, timer)
    if (timer.isOfRun) this.#ofRun++
    return () => this.#remove(timer)
  }

  /** Removes a timer from the list. Does nothing if the timer has fired or was canceled. */
  #remove(timer: Timer): void {
    const index = this.#indexOf(timer)
    if (this.#timers[index] !== timer) return
    this.#timers.splice(index, 1)
    if (timer.isOfRun) this.#ofRun--
  }

  /** Returns the index of a timer in the sorted list, or the index at which to insert it. */
  #indexOf(timer: Timer): number {
    let [low, high] = [0, this.#timers.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#timers[middle]
      if (other !== undefined && isLater(other, timer)) low = middle + 1
      else high = middle
    }
    return low
  }
}

const isLater = (one: Timer, other: Timer): boolean =>
  one.time === other.time ? one.order > other.order : one.time > other.time
