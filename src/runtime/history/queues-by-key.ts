/** A map in which each key has a first-in, first-out queue of values. */
export class QueuesByKey<Value> {
  readonly #byKey = new Map<string, Set<Value>>()

  get isEmpty(): boolean {
    return this.#byKey.size === 0
  }

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  add(key: string, value: Value): void {
    const list = this.#byKey.get(key)
    if (list === undefined) this.#byKey.set(key, new Set([value]))
    else list.add(value)
  }

  /**
   * Removes the oldest value of the queue for `key` and returns it. Returns undefined if the queue
   * is empty.
   */
  take(key: string): Value | undefined {
    const [first] = this.#byKey.get(key) ?? []
    if (first !== undefined) this.remove(key, first)
    return first
  }

  remove(key: string, value: Value): void {
    const list = this.#byKey.get(key)
    list?.delete(value)
    if (list?.size === 0) this.#byKey.delete(key)
  }

  all(): readonly Value[] {
    return [...this.#byKey.values()].flatMap((list) => [...list])
  }
}
