/** What a port may answer at once or later. */
export type Ready<Value> = Value | Promise<Value>

export const isLater = <Value>(value: Ready<Value>): value is Promise<Value> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/** Goes on with a value: at once where it is there, so that what is synchronous stays so. */
export const whenReady = <Value, Result>(
  value: Ready<Value>,
  then: (value: Value) => Ready<Result>,
): Ready<Result> => (isLater(value) ? value.then(then) : then(value))

/** Goes on with `failed` where something throws or rejects. */
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
