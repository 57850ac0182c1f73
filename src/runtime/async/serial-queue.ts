import type { Ready } from "./when-ready.js"
import { isLater, recover } from "./when-ready.js"

interface SerialQueueOwner {
  /** A task of the queue threw or rejected. */
  failed(cause: unknown): void
  /** A task of the queue has ended. */
  settled(): void
}

/** Why a task failed; null if it succeeded. */
export type TaskFailure = { readonly cause: unknown } | null

/**
 * Executes the tasks of a run in the order in which they were added. A task that needs no promise
 * runs synchronously if the queue is empty.
 */
export class SerialQueue {
  readonly #owner: SerialQueueOwner
  /** Settles when all tasks have ended; null if the queue is empty. */
  #lastTask: Promise<TaskFailure> | null = null
  #pending = 0

  constructor(owner: SerialQueueOwner) {
    this.#owner = owner
  }

  get isEmpty(): boolean {
    return this.#pending === 0
  }

  /** Calls `then` with the value after all earlier tasks. The promise resolves to the failure, or null. */
  enqueue<Value>(ready: Ready<Value>, then: (value: Value) => void): Promise<TaskFailure> {
    this.#pending++
    const before = this.#lastTask
    // An early rejection is reported below, in order.
    if (isLater(ready)) ready.catch(() => {})
    const done = (async () => {
      let failure: TaskFailure = null
      try {
        await before
        then(await ready)
      } catch (cause) {
        failure = { cause }
        this.#owner.failed(cause)
      }
      this.#pending--
      if (this.#pending === 0) this.#lastTask = null
      this.#owner.settled()
      return failure
    })()
    this.#lastTask = done
    return done
  }

  /**
   * Appends the subject to the store now, then feeds it to the reader after all earlier tasks. Returns
   * null on success. On failure it calls `failed` of the owner and returns the cause.
   */
  storeThenFeed<Subject>(
    subject: Subject,
    store: { append(subject: Subject): Ready<unknown> },
    reader: { feed(subject: Subject): void },
  ): Ready<TaskFailure> {
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
      this.#owner.failed(cause)
      return { cause }
    }
    if (isLater(ready)) return this.enqueue(ready, () => reader.feed(subject))
    reader.feed(subject)
    this.#owner.settled()
    return null
  }

  /** Calls `act` now and `then` with its result: synchronously if `act` returns no promise, else in order. */
  runInOrder<Value>(act: () => Ready<Value>, then: (value: Value) => void): void {
    let ready: Ready<Value>
    try {
      ready = act()
    } catch (error) {
      this.#owner.failed(error)
      return
    }
    if (isLater(ready)) void this.enqueue(ready, then)
    else then(ready)
  }
}
