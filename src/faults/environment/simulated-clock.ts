import type { Clock } from "../../runtime/driver/host.js"

interface Timer {
  readonly time: number
  /** Orders timers with the same time. The timer with the lowest number fires first. */
  readonly order: number
  readonly wake: () => void
  /** Whether the run set the timer. false: a simulated service set it. */
  readonly isOfRun: boolean
  /** Whether the timer has fired or was cancelled. */
  isOver: boolean
}

/**
 * The clock of a simulated process. Time passes only when `advance` or `set` is called. Timers with
 * the same time fire by their `order`.
 */
export class SimulatedClock implements Clock {
  /** Timers sorted by time, latest first, so that the next timer to fire is the last item. */
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
    return this.#add({ time, order: this.nextOrder(), wake, isOfRun: true, isOver: false })
  }

  /** Reserves an order number for a timer that is set later. */
  nextOrder(): number {
    return ++this.#lastOrder
  }

  /** Sets a timer for a simulated service. `timersOfRun` does not include it. */
  wakeService(time: number, order: number, wake: () => void): void {
    this.#add({ time, order, wake, isOfRun: false, isOver: false })
  }

  /** Number of timers that the run has set and that have not fired. */
  get timersOfRun(): number {
    return this.#ofRun
  }

  /** Sets the clock without firing timers. */
  set(time: number): void {
    this.#now = time
  }

  /**
   * Moves the clock to the next timer that is due by `until` and fires it. Returns false if there
   * is none.
   */
  advance(until = Number.POSITIVE_INFINITY): boolean {
    for (let next = this.#timers.at(-1); next !== undefined; next = this.#timers.at(-1)) {
      if (!next.isOver && next.time > until) return false
      this.#timers.pop()
      if (next.isOver) continue
      this.#now = Math.max(this.#now, next.time)
      this.#end(next)
      next.wake()
      return true
    }
    return false
  }

  #add(timer: Timer): () => void {
    let [low, high] = [0, this.#timers.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#timers[middle]
      if (other !== undefined && isLater(other, timer)) low = middle + 1
      else high = middle
    }
    this.#timers.splice(low, 0, timer)
    if (timer.isOfRun) this.#ofRun++
    return () => {
      if (!timer.isOver) this.#end(timer)
    }
  }

  #end(timer: Timer): void {
    timer.isOver = true
    if (timer.isOfRun) this.#ofRun--
  }
}

const isLater = (one: Timer, other: Timer): boolean =>
  one.time === other.time ? one.order > other.order : one.time > other.time
