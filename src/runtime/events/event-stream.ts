import type { InteropObservable, Observer, Subscribable, Subscription } from "xstate"

/**
 * A stream of values with the interface of an observable. `from` of RxJS and `fromObservable` of
 * XState accept it.
 */
export interface EventStream<Value> extends Subscribable<Value>, InteropObservable<Value> {}

// RxJS and XState look up an observable under the same key.
const symbolObservable: typeof Symbol.observable = ((typeof Symbol === "function" &&
  Symbol.observable) ||
  "@@observable") as typeof Symbol.observable

/** Creates a stream that calls `connect` for each new subscriber. `connect` returns its cleanup. */
export function createEventStream<Value>(
  connect: (subscriber: Subscriber<Value>) => () => void,
): EventStream<Value> {
  const stream: EventStream<Value> = {
    subscribe(
      observer: Observer<Value> | ((value: Value) => void),
      _error?: (cause: unknown) => void,
      complete?: () => void,
    ) {
      const subscriber = new Subscriber(
        typeof observer === "function"
          ? { next: observer, ...(complete === undefined ? {} : { complete }) }
          : observer,
      )
      subscriber.onUnsubscribe(connect(subscriber))
      return subscriber
    },
    [symbolObservable]: () => stream,
  }
  return stream
}

/** Passes the values of a stream to one observer until the stream completes or it unsubscribes. */
export class Subscriber<Value> implements Subscription {
  readonly #observer: Observer<Value>
  #isClosed = false
  #cleanup: (() => void) | null = null

  constructor(observer: Observer<Value>) {
    this.#observer = observer
  }

  /** Whether the stream has completed or the observer has unsubscribed. */
  get closed(): boolean {
    return this.#isClosed
  }

  next(value: Value): void {
    if (!this.#isClosed) notify(() => this.#observer.next?.(value))
  }

  complete(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    notify(() => this.#observer.complete?.())
    this.#cleanUp()
  }

  unsubscribe(): void {
    this.#isClosed = true
    this.#cleanUp()
  }

  /** Sets the function to call at the end. The stream may have completed while it was connected. */
  onUnsubscribe(cleanup: () => void): void {
    this.#cleanup = cleanup
    if (this.#isClosed) this.#cleanUp()
  }

  #cleanUp(): void {
    const cleanup = this.#cleanup
    this.#cleanup = null
    cleanup?.()
  }
}

/**
 * Calls an observer. An error of the observer becomes an unhandled rejection, so that it does not
 * stop the run or other subscribers.
 */
function notify(call: () => void): void {
  try {
    call()
  } catch (cause) {
    void Promise.reject(cause as Error)
  }
}
