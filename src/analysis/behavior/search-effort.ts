/** The policy needs more states than the policy file allows. */
export class TooManyStates extends Error {}

/** How many steps are followed at most, for each state that the policy file allows. */
const stepsPerState = 50

/**
 * The states and steps of one search, those of parallel branches and called agents included. A search
 * is limited by their number and not by time, so that a verdict is the same on every machine.
 */
export class SearchEffort {
  readonly #mostStates: number
  #states = 0
  #steps = 0

  constructor(mostStates: number) {
    this.#mostStates = mostStates
  }

  /** @throws TooManyStates if the search has more states than it may have. */
  countState(): void {
    if (++this.#states > this.#mostStates) throw new TooManyStates()
  }

  /** @throws TooManyStates if the search has more steps than it may have. */
  countSteps(count: number): void {
    this.#steps += count
    if (this.#steps > this.#mostStates * stepsPerState) throw new TooManyStates()
  }
}
