/** Thrown if the model checker exceeds the maximum number of states that the policy file allows. */
export class TooManyStates extends Error {}

/**
 * Maximum number of explored steps for each allowed state. For example, a search with at most 1,000
 * states can explore up to 50,000 steps.
 */
const stepsPerState = 50

/**
 * Counts the states and steps of one search, including the searches of parallel branches and called
 * agents. The limit is a number of states instead of a time, so that the verdict is the same on
 * every computer.
 */
export class SearchEffort {
  readonly #mostStates: number
  #states = 0
  #steps = 0

  constructor(mostStates: number) {
    this.#mostStates = mostStates
  }

  /**
   * Counts one explored state.
   * @throws TooManyStates if the search exceeds its maximum number of states.
   */
  countState(): void {
    if (++this.#states > this.#mostStates) throw new TooManyStates()
  }

  /**
   * Counts explored steps.
   * @throws TooManyStates if the search exceeds its maximum number of steps.
   */
  countSteps(count: number): void {
    this.#steps += count
    if (this.#steps > this.#mostStates * stepsPerState) throw new TooManyStates()
  }
}
