/** A promise and what settles it. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>
  settle(value: Value): void
}

export function deferred<Value>(): Deferred<Value> {
  let settle: Deferred<Value>["settle"] = () => {}
  const promise = new Promise<Value>((resolve) => (settle = resolve))
  return { promise, settle }
}
