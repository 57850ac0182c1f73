import type { JudgedEvent } from "./judged-event.js"
import type { Automaton } from "../automaton.js"
import { violated } from "../automaton.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy } from "../policy.js"

/** Follows one policy during a run. */
export interface PolicyWatch {
  readonly policy: Policy
  /** Returns whether the event would violate the policy, without any effect. */
  violates(event: JudgedEvent, occurrences: readonly Occurrence[]): boolean
  /** Updates the state of the policy after the event. Returns whether the event violates it. */
  follow(event: JudgedEvent, occurrences: readonly Occurrence[]): boolean
}

/**
 * Follows a policy about the order or number of occurrences. An occurrence that violates the policy
 * leaves the state unchanged, so each further violation is recognized too.
 */
export function watchOrder(policy: Policy, automaton: Automaton): PolicyWatch {
  let states: readonly string[] = [automaton.start]
  // A response that is missing at the end of a run is reported once.
  const unviolated = (state: string): string =>
    policy.rule.pattern === "whenever" ? automaton.fulfil(state) : state
  const read = (
    before: readonly string[],
    occurrences: readonly Occurrence[],
  ): readonly [states: readonly string[], isViolated: boolean] => {
    let after = before
    let isViolated = false
    for (const occurrence of occurrences) {
      if (!automaton.reads(occurrence)) continue
      const next = new Set<string>()
      for (const state of after)
        for (const one of automaton.next(state, occurrence)) {
          if (one === violated) isViolated = true
          next.add(one === violated ? unviolated(state) : one)
        }
      after = [...next]
    }
    return [after, isViolated]
  }
  return {
    policy,
    violates: (_event, occurrences) => read(states, occurrences)[1],
    follow(_event, occurrences) {
      const [after, isViolated] = read(states, occurrences)
      states = after
      return isViolated
    },
  }
}
