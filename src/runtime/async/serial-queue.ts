import type { MaybePromise } from "./maybe-promise.js"
import { isPromise, recover } from "./maybe-promise.js"

interface SerialQueueOwner {
  /** Called with the error if a task throws or its promise rejects. */
  failed(cause: unknown): void
  /** Called after each task, whether the task succeeded or failed. */
  settled(): void
}

/** The error of a failed task as `{ cause }`, or null if the task succeeded. */
export type TaskFailure = { readonly cause: unknown } | null

/**
 * A queue that executes the tasks of one run one after the other, in the order in which they were
 * added. If the queue is empty and a task does not return a promise, the task runs synchronously.
 */
export class SerialQueue {
  readonly #owner: SerialQueueOwner
  /** Promise of the last task in the queue, or null if the queue is empty. */
  #lastTask: Promise<TaskFailure> | null = null
  #pending = 0

  constructor(owner: SerialQueueOwner) {
    this.#owner = owner
  }

  get isEmpty(): boolean {
    return this.#pending === 0
  }

  /**
   * Adds a task to the queue. The task waits for `value` and for all earlier tasks, and then calls
   * `then` with the value. Resolves to the error of the task, or to null if the task succeeded.
   * Never rejects.
   */
  enqueue<Value>(value: MaybePromise<Value>, then: (value: Value) => void): Promise<TaskFailure> {
    this.#pending++
    const earlier = this.#lastTask
    // An early rejection must not be reported as unhandled. The task below handles the rejection
    // after the earlier tasks.
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
   * Stores an item and then processes it as one task of the queue. Calls `store.append`
   * immediately. Calls `processor.process` when the item is stored and all earlier tasks have
   * ended.
   *
   * Returns the error of this task, or null if the task succeeded. The parameters are objects and
   * not callbacks, so that no closure is created for each item.
   */
  storeThenProcess<Item>(
    item: Item,
    store: { append(item: Item): MaybePromise<unknown> },
    processor: { process(item: Item): void },
  ): MaybePromise<TaskFailure> {
    if (!this.isEmpty) return this.#enqueueItem(appendOrReject(store, item), item, processor)
    let stored: MaybePromise<unknown>
    try {
      stored = store.append(item)
    } catch (cause) {
      this.#owner.failed(cause)
      return { cause }
    }
    if (isPromise(stored)) return this.#enqueueItem(stored, item, processor)
    processor.process(item)
    this.#owner.settled()
    return null
  }

  #enqueueItem<Item>(
    stored: MaybePromise<unknown>,
    item: Item,
    processor: { process(item: Item): void },
  ): Promise<TaskFailure> {
    return this.enqueue(stored, () => processor.process(item))
  }

  /**
   * Calls `act` immediately, and then calls `then` with the result. If `act` returns a promise,
   * `then` is called after the promise has resolved and all earlier tasks have ended.
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

const appendOrReject = <Item>(
  store: { append(item: Item): MaybePromise<unknown> },
  item: Item,
): MaybePromise<unknown> =>
  recover(
    () => store.append(item),
    (cause) => Promise.reject(cause),
  )
