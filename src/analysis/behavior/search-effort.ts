/** Thrown if the search exceeds the number of states that the policy file allows. */
export class TooManyStates extends Error {}

/** Maximum number of steps for each state that the policy file allows. */
const stepsPerState = 50

/**
 * Counts the states and steps of one search, including those of parallel branches and called
 * agents. The limit is a number and not a time, so that every machine returns the same verdict.
 */
export class SearchEffort {
  readonly #mostStates: number
  #states = 0
  #steps = 0

  constructor(mostStates: number) {
    this.#mostStates = mostStates
  }

  /** @throws TooManyStates if the search exceeds its maximum number of states. */
  countState(): void {
    if (++this.#states > this.#mostStates) throw new TooManyStates()
  }

  /** @throws TooManyStates if the search exceeds its maximum number of steps. */
  countSteps(count: number): void {
    this.#steps += count
    if (this.#steps > this.#mostStates * stepsPerState) throw new TooManyStates()
  }
}
