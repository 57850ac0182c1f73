/**
 * A value, or a promise of the value. Journals and session stores may return either. The in-memory
 * journal returns values, so a run that uses it executes synchronously (docs/architecture.md,
 * "Synchronous fast path").
 */
export type MaybePromise<Value> = Value | Promise<Value>

export const isPromise = <Value>(value: MaybePromise<Value>): value is Promise<Value> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/**
 * A generator that `runSteps` executes like an `async` function. It yields each promise that it
 * waits for, and returns the result.
 */
export type Steps<Result> = Generator<Promise<unknown>, Result, unknown>

/**
 * Runs a generator function like an `async` function. The generator uses `yield* wait(value)` where
 * an `async` function uses `await value`. If no value is a promise, `runSteps` returns the result
 * synchronously and creates no promise.
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

/**
 * Waits for a value inside a generator that `runSteps` executes. Write `yield* wait(value)` instead
 * of `await value`. Throws if the promise rejects.
 */
export function* wait<Value>(value: MaybePromise<Value>): Steps<Value> {
  // `runSteps` resumes the generator with the resolved value of the yielded promise.
  return isPromise(value) ? ((yield value) as Value) : value
}

/**
 * Returns the result of `act`. If `act` throws, or if its promise rejects, returns the result of
 * `onError` for the error.
 */
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
