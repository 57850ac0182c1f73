import type { Occurrence } from "./occurrence.js"

/**
 * The automaton of a policy. It reads the occurrences of a run in order and recognizes runs that
 * violate the policy. The automaton is nondeterministic: a run violates the policy if one of the
 * possible states is {@link violated}.
 */
export interface Automaton {
  readonly start: string
  /** The state in which an activation has ended. No occurrence leaves it. */
  readonly over?: string
  /** Returns the possible states after an occurrence. */
  next(state: string, occurrence: Occurrence): readonly string[]
  /** Returns whether an occurrence can change any state. All other occurrences can be left out. */
  reads(occurrence: Occurrence): boolean
  /** Moves every obligation of the policy to fulfilled, as an undeclared function could do. */
  fulfil(state: string): string
}

export const violated = "violated"
