/** Limits the number of operations that are executed at the same time. */
export class Gate {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #active = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Executes an operation. If the maximum number of operations is active, first waits until one of
   * them ends.
   */
  async run<Value>(operation: () => Promise<Value>): Promise<Value> {
    if (this.#active >= this.#most)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#active++
    try {
      return await operation()
    } finally {
      const next = this.#waiting.shift()
      // The next operation takes the place of this one.
      if (next === undefined) this.#active--
      else next()
    }
  }
}
