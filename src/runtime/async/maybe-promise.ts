/**
 * A value or a promise of it. Journals and session stores may return either. The memory journal
 * returns values, so a run with it needs no promises: this is the synchronous fast path of the
 * runtime (docs/architecture.md, "Synchronous fast path").
 */
export type MaybePromise<Value> = Value | Promise<Value>

export const isPromise = <Value>(value: MaybePromise<Value>): value is Promise<Value> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/** The body of an operation for `runSteps`. It yields the promises that it waits for. */
export type Steps<Result> = Generator<Promise<unknown>, Result, unknown>

/**
 * Runs a generator function like an `async` function, where `yield* wait(value)` replaces `await
 * value`. If no value is a promise, the operation ends before `runSteps` returns, and no promise is
 * created.
 */
export function runSteps<Result>(operation: () => Steps<Result>): MaybePromise<Result> {
  const steps = operation()
  const first = steps.next()
  return first.done === true ? first.value : continueSteps(steps, first.value)
}

async function continueSteps<Result>(
  steps: Steps<Result>,
  first: Promise<unknown>,
): Promise<Result> {
  for (let waiting = first; ;) {
    const next = await waiting.then(
      (value) => steps.next(value),
      (cause: unknown) => steps.throw(cause),
    )
    if (next.done === true) return next.value
    waiting = next.value
  }
}

/** Waits for a value inside of `runSteps`. Throws the error of a rejected promise. */
export function* wait<Value>(value: MaybePromise<Value>): Steps<Value> {
  // `runSteps` sends back the value of the promise that was yielded.
  return isPromise(value) ? ((yield value) as Value) : value
}

/** Returns the result of `act`, or of `onError` if `act` throws or rejects. */
export function recover<Value>(
  act: () => MaybePromise<Value>,
  onError: (cause: unknown) => MaybePromise<Value>,
): MaybePromise<Value> {
  try {
    const result = act()
    return isPromise(result) ? result.catch(onError) : result
  } catch (cause) {
    return onError(cause)
  }
}
