/**
 * The most recent messages of a relay channel. If their total size exceeds a limit, the oldest
 * messages are removed.
 */
export class RecentMessages {
  readonly #limit: number
  #texts: string[] = []
  #first = 0
  #size = 0

  /** @param limit maximum total size in characters */
  constructor(limit: number) {
    this.#limit = limit
  }

  add(text: string): void {
    this.#texts.push(text)
    this.#size += text.length
    while (this.#size > this.#limit && this.#first < this.#texts.length) {
      this.#size -= (this.#texts[this.#first] as string).length
      this.#first++
    }
    // The array is compacted when half of it is unused, so that the cost per message is constant.
    if (this.#first * 2 > this.#texts.length) {
      this.#texts = this.#texts.slice(this.#first)
      this.#first = 0
    }
  }

  *all(): Generator<string> {
    for (let index = this.#first; index < this.#texts.length; index++)
      yield this.#texts[index] as string
  }
}
