/**
 * Lets several callers wait for the next change of an object. A call of `notify` reports a change
 * to all of them.
 */
export class ChangeSignal {
  readonly #waiting: (() => void)[] = []

  /** Returns a promise that resolves at the next call of `notify`. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  notify(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
