import type { Occurrence } from "./occurrence.js"

/**
 * The automaton that recognizes violations of a policy. It reads the occurrences of a run in order.
 * The automaton is nondeterministic: a run violates the policy if one of the possible states is
 * {@link violated}.
 */
export interface Automaton {
  readonly start: string
  /**
   * The final state, which is reached when the observed activation of an agent ends. No occurrence
   * changes it.
   */
  readonly over?: string
  /** Returns the possible states that follow a state after an occurrence. */
  next(state: string, occurrence: Occurrence): readonly string[]
  /** Returns whether an occurrence can change any state. Callers can skip all other occurrences. */
  reads(occurrence: Occurrence): boolean
  /**
   * Returns the state in which all obligations are fulfilled. Used for undeclared functions, which
   * may fulfill them.
   */
  fulfil(state: string): string
}

export const violated = "violated"
