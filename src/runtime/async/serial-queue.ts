import type { MaybePromise } from "./maybe-promise.js"
import { isPromise, recover } from "./maybe-promise.js"

interface SerialQueueOwner {
  /** Called when a task of the queue threw or rejected. */
  failed(cause: unknown): void
  /** Called when a task of the queue has ended. */
  settled(): void
}

/** Why a task failed; null if it succeeded. */
export type TaskFailure = { readonly cause: unknown } | null

/**
 * Executes the tasks of a run in the order in which they were added. If a task needs no promise
 * and the queue is empty, the task runs synchronously.
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

  /**
   * Calls `then` with the value after all earlier tasks. Resolves to the failure of the task, or
   * to null.
   */
  enqueue<Value>(value: MaybePromise<Value>, then: (value: Value) => void): Promise<TaskFailure> {
    this.#pending++
    const earlier = this.#lastTask
    // The rejection is reported below, after the earlier tasks.
    if (isPromise(value)) value.catch(() => {})
    const done = (async () => {
      let failure: TaskFailure = null
      try {
        await earlier
        then(await value)
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
   * Appends an item to the store now, and processes it when it is stored and all earlier tasks
   * have ended. Returns the failure of the task, or null. The objects are passed without closures,
   * because this is done for each record.
   */
  storeThenProcess<Item>(
    item: Item,
    store: { append(item: Item): MaybePromise<unknown> },
    processor: { process(item: Item): void },
  ): MaybePromise<TaskFailure> {
    if (!this.isEmpty)
      return this.enqueue(
        recover(
          () => store.append(item),
          (cause) => Promise.reject(cause as Error),
        ),
        () => processor.process(item),
      )
    let stored: MaybePromise<unknown>
    try {
      stored = store.append(item)
    } catch (cause) {
      this.#owner.failed(cause)
      return { cause }
    }
    if (isPromise(stored)) return this.enqueue(stored, () => processor.process(item))
    processor.process(item)
    this.#owner.settled()
    return null
  }

  /**
   * Calls `act` now and `then` with its result: at once if `act` returns no promise, otherwise
   * after all earlier tasks.
   */
  runThen<Value>(act: () => MaybePromise<Value>, then: (value: Value) => void): void {
    let result: MaybePromise<Value>
    try {
      result = act()
    } catch (cause) {
      this.#owner.failed(cause)
      return
    }
    if (isPromise(result)) void this.enqueue(result, then)
    else then(result)
  }
}
