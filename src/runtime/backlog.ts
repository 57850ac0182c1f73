import type { Ready } from "./when-ready.js"
import { isLater, recover } from "./when-ready.js"

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
    // What is refused before its turn has come is told in its turn.
    if (isLater(ready)) ready.catch(() => {})
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

  /** Acts on the subject now; goes on when that is ready and all that came before is done, which may be at once. */
  inTurn<Subject>(subject: Subject, act: (subject: Subject) => Ready<unknown>, then: (subject: Subject) => void): void {
    if (!this.isEmpty) return this.enqueue(recover(() => act(subject), (cause) => Promise.reject(cause as Error)), () => then(subject))
    let ready: Ready<unknown>
    try {
      ready = act(subject)
    } catch (error) {
      return this.#failed(error)
    }
    if (isLater(ready)) return this.enqueue(ready, () => then(subject))
    then(subject)
    this.#settled()
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
