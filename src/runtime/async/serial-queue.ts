import type { Ready } from "./when-ready.js"
import { isLater, recover } from "./when-ready.js"

interface SerialQueueOwner {
  /** Something threw or was rejected. */
  broke(cause: unknown): void
  /** Everything that was waited for is done. */
  settled(): void
}

/** Why something in the queue was not done; null when it was done. */
export type Failure = { readonly cause: unknown } | null

/** Lets what a run is to do take place in the order in which it came, whatever journals and stores take. */
export class SerialQueue {
  readonly #owner: SerialQueueOwner
  /** Settles when everything that has come is done. */
  #last: Promise<Failure> | null = null
  #waiting = 0

  constructor(owner: SerialQueueOwner) {
    this.#owner = owner
  }

  get isEmpty(): boolean {
    return this.#waiting === 0
  }

  enqueue<Value>(ready: Ready<Value>, then: (value: Value) => void): Promise<Failure> {
    this.#waiting++
    const before = this.#last
    // What is refused before its turn has come is told in its turn.
    if (isLater(ready)) ready.catch(() => {})
    const done = (async () => {
      let failure: Failure = null
      try {
        await before
        then(await ready)
      } catch (cause) {
        failure = { cause }
        this.#owner.broke(cause)
      }
      this.#waiting--
      if (this.#waiting === 0) this.#last = null
      this.#owner.settled()
      return failure
    })()
    this.#last = done
    return done
  }

  /**
   * Appends the subject now and feeds it when that is ready and all that came before is done, which may be at once. Returns why it was not
   * stored or fed; the owner then has been told as well.
   */
  inTurn<Subject>(
    subject: Subject,
    store: { append(subject: Subject): Ready<unknown> },
    reader: { feed(subject: Subject): void },
  ): Ready<Failure> {
    if (!this.isEmpty)
      return this.enqueue(
        recover(
          () => store.append(subject),
          (cause) => Promise.reject(cause as Error),
        ),
        () => reader.feed(subject),
      )
    let ready: Ready<unknown>
    try {
      ready = store.append(subject)
    } catch (cause) {
      this.#owner.broke(cause)
      return { cause }
    }
    if (isLater(ready)) return this.enqueue(ready, () => reader.feed(subject))
    reader.feed(subject)
    this.#owner.settled()
    return null
  }

  /** Goes on with what is ready: at once, or in its turn. */
  after<Value>(act: () => Ready<Value>, then: (value: Value) => void): void {
    let ready: Ready<Value>
    try {
      ready = act()
    } catch (error) {
      this.#owner.broke(error)
      return
    }
    if (isLater(ready)) void this.enqueue(ready, then)
    else then(ready)
  }
}
