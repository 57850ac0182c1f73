/** A value, or a promise of it. Journals and stores may return either. */
export type Ready<Value> = Value | Promise<Value>

/** Whether a value is a promise. */
export const isLater = <Value>(value: Ready<Value>): value is Promise<Value> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/** Calls `then` with a value: synchronously unless the value is a promise. */
export const whenReady = <Value, Result>(
  value: Ready<Value>,
  then: (value: Value) => Ready<Result>,
): Ready<Result> => (isLater(value) ? value.then(then) : then(value))

/** Returns the result of `act`, or of `failed` if `act` throws or rejects. */
export function recover<Value>(
  act: () => Ready<Value>,
  failed: (cause: unknown) => Ready<Value>,
): Ready<Value> {
  try {
    const done = act()
    return isLater(done) ? done.catch(failed) : done
  } catch (cause) {
    return failed(cause)
  }
}
