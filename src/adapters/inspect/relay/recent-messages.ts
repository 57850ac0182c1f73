/** Keeps the most recent messages up to a total size, for viewers that connect later. */
export class RecentMessages {
  readonly #limit: number
  #texts: string[] = []
  #first = 0
  #size = 0

  /**
   * @param limit Maximum total size in characters.
   *
   * @param limit in characters.
   */
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
    // Compact when half is unused; the cost is proportional to what was added since.
    if (this.#first * 2 > this.#texts.length) {
      this.#texts = this.#texts.slice(this.#first)
      this.#first = 0
    }
  }

  *all(): Generator<string> {
    for (let at = this.#first; at < this.#texts.length; at++) yield this.#texts[at] as string
  }
}
