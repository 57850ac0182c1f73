/** What was sent last, up to a size: viewers that come late are told it. */
export class RecentMessages {
  readonly #limit: number
  #texts: string[] = []
  #first = 0
  #size = 0

  /** @param limit in characters. */
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
    // Half of it is gone: moving the rest costs as much as what was added since.
    if (this.#first * 2 > this.#texts.length) {
      this.#texts = this.#texts.slice(this.#first)
      this.#first = 0
    }
  }

  *all(): Generator<string> {
    for (let at = this.#first; at < this.#texts.length; at++) yield this.#texts[at] as string
  }
}
