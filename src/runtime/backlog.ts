import type { Ready } from "./when-ready.js"
import { isLater } from "./when-ready.js"

/** Lets what a run is to do take place in the order in which it came, whatever journals and stores take. */
export class Backlog {
  readonly #failed: (cause: unknown) => void
  readonly #settled: () => void
  /** Settles when everything that has come is done. */
  #last: Promise<void> | null = null
  #waiting = 0

  /** `settled` is called after everything that was waited for; what throws or rejects goes to `failed`. */
  constructor(failed: (cause: unknown) => void, settled: () => void) {
    this.#failed = failed
    this.#settled = settled
  }

  get isEmpty(): boolean {
    return this.#waiting === 0
  }

  enqueue<Value>(ready: Ready<Value>, then: (value: Value) => void): void {
    this.#waiting++
    const before = this.#last
    this.#last = (async () => {
      try {
        await before
        then(await ready)
      } catch (error) {
        this.#failed(error)
      }
      this.#waiting--
      if (this.#waiting === 0) this.#last = null
      this.#settled()
    })()
  }

  /** Goes on with what is ready: at once, or in its turn. */
  after<Value>(act: () => Ready<Value>, then: (value: Value) => void): void {
    let ready: Ready<Value>
    try {
      ready = act()
    } catch (error) {
      this.#failed(error)
      return
    }
    if (isLater(ready)) this.enqueue(ready, then)
    else then(ready)
  }
}
