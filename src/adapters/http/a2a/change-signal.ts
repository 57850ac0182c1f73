/** A signal that lets several callers wait for the next change of an object. */
export class ChangeSignal {
  readonly #waiting: (() => void)[] = []

  /** Resolves at the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  notify(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
