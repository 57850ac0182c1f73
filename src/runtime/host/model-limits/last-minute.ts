const minuteMs = 60_000

/**
 * The sum of all amounts (such as tokens) that were added in the last 60 seconds. Every method
 * takes constant time on average.
 */
export class LastMinute {
  #entries: { readonly time: number; readonly amount: number }[] = []
  #first = 0
  #sum = 0

  add(time: number, amount: number): void {
    this.#entries.push({ time, amount })
    this.#sum += amount
  }

  sum(now: number): number {
    for (
      let oldest = this.#entries[this.#first];
      oldest !== undefined && oldest.time + minuteMs <= now;
      oldest = this.#entries[++this.#first]
    )
      this.#sum -= oldest.amount
    if (this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
    return this.#sum
  }

  /**
   * Returns the time at which the sum decreases next, in milliseconds since the epoch. At this
   * time, the oldest of the added amounts is 60 seconds old. Returns null if the sum contains no
   * amounts.
   */
  nextDecrease(): number | null {
    const oldest = this.#entries[this.#first]
    return oldest === undefined ? null : oldest.time + minuteMs
  }
}
