import type { Occurrence } from "./occurrence.js"

/**
 * The automaton of a policy. It reads the occurrences of a run in order and recognizes runs that
 * violate the policy. The automaton is nondeterministic: a run violates the policy if one of the
 * possible states is {@link violated}.
 */
export interface Automaton {
  readonly start: string
  /** The final state of an activation that has ended. */
  readonly over?: string
  /** Returns the possible states after an occurrence. */
  next(state: string, occurrence: Occurrence): readonly string[]
  /** Returns whether an occurrence can change any state. All other occurrences can be skipped. */
  reads(occurrence: Occurrence): boolean
  /**
   * Returns the state in which all obligations are fulfilled, for an undeclared function that may
   * fulfill them.
   */
  fulfil(state: string): string
}

export const violated = "violated"
