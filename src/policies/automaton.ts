import type { Occurrence } from "./occurrence.js"

/**
 * An automaton that detects violations of a policy. Its input consists of the occurrences in a run,
 * such as tool calls, in order. The automaton is nondeterministic. A run violates the policy if
 * {@link violatedState} is one of the possible states.
 */
export interface Automaton {
  readonly start: string
  /**
   * The state of the automaton after the observed turn (activation) of an agent has ended. No
   * further input changes this state. Only set for policies that apply to each activation or to
   * each loop iteration.
   */
  readonly over?: string
  /**
   * Returns the possible next states after an occurrence, such as a tool call. There can be
   * several, because the automaton is nondeterministic.
   */
  next(state: string, occurrence: Occurrence): readonly string[]
  /**
   * Returns whether an occurrence, such as a tool call, can change the state of the automaton.
   * Callers can skip all other occurrences.
   */
  reads(occurrence: Occurrence): boolean
  /**
   * Returns the state that follows `state` if everything that the policy requires has happened.
   * Used, for example, after calls of undeclared host functions, which may do what the policy
   * requires.
   */
  fulfil(state: string): string
}

export const violatedState = "violated"
