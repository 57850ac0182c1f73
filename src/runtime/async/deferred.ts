/**
 * A promise that the method `settle` resolves. To save memory, the promise object is only created
 * when the property `promise` is first read.
 */
export class Deferred<Value> {
  #promise: Promise<Value> | null = null
  #resolve: ((value: Value) => void) | null = null
  #settled: { readonly value: Value } | null = null

  get promise(): Promise<Value> {
    if (this.#promise === null) {
      const settled = this.#settled
      this.#promise =
        settled === null
          ? new Promise((resolve) => (this.#resolve = resolve))
          : Promise.resolve(settled.value)
    }
    return this.#promise
  }

  settle(value: Value): void {
    this.#settled ??= { value }
    this.#resolve?.(this.#settled.value)
    this.#resolve = null
  }
}
