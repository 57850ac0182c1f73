import type { Occurrence } from "./occurrence.js"

/**
 * The automaton that recognizes violations of a policy. It reads the occurrences of a run in order.
 * The automaton is nondeterministic: a run violates the policy if one of the possible states is
 * {@link violated}.
 */
export interface Automaton {
  readonly start: string
  /**
   * The final state of a policy that applies to each activation of an agent: the observed
   * activation has ended. No occurrence changes this state.
   */
  readonly over?: string
  /**
   * Returns the possible next states after an occurrence. There can be several, because the
   * automaton is nondeterministic.
   */
  next(state: string, occurrence: Occurrence): readonly string[]
  /** Returns whether an occurrence can change any state. Callers can skip all other occurrences. */
  reads(occurrence: Occurrence): boolean
  /**
   * Returns the state that follows if all obligations of the policy are fulfilled. It is used after
   * calls of undeclared host functions, which may fulfill the obligations.
   */
  fulfil(state: string): string
}

export const violated = "violated"
