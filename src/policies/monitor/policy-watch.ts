import type { JudgedEvent } from "./judged-event.js"
import type { Automaton } from "../automaton.js"
import { violated } from "../automaton.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy } from "../policy.js"

/** Follows one policy during a run. */
export interface PolicyWatch {
  readonly policy: Policy
  /** The types of the events that the policy reads. All other events leave its state unchanged. */
  readonly events: ReadonlySet<JudgedEvent["type"]>
  /**
   * Returns whether the policy reads events like this one, with the same type and the same tool or
   * agent. Absent: the policy reads all events of its types.
   */
  readsLike?(event: JudgedEvent): boolean
  /** Returns whether the event would violate the policy, without any effect. */
  violates(event: JudgedEvent, read: ReadOccurrences): boolean
  /** Updates the state of the policy after the event. Returns whether the event violates it. */
  follow(event: JudgedEvent, read: ReadOccurrences): boolean
}

/** Returns what occurs with the event, in order. */
export type ReadOccurrences = () => readonly Occurrence[]

/** The state of a policy after some occurrences. */
interface Read {
  readonly states: readonly string[]
  readonly isViolated: boolean
}

/**
 * Follows a policy about the order or number of occurrences. An occurrence that violates the policy
 * leaves the state unchanged, so each further violation is recognized too.
 */
export function watchOrder(
  policy: Policy,
  automaton: Automaton,
  { events, readsLike }: Required<Pick<PolicyWatch, "events" | "readsLike">>,
): PolicyWatch {
  let states: readonly string[] = [automaton.start]
  // A response that is missing at the end of a run is reported once.
  const unviolated = (state: string): string =>
    policy.rule.pattern === "whenever" ? automaton.fulfil(state) : state
  const read = (before: readonly string[], occurrences: readonly Occurrence[]): Read | null => {
    let after = before
    let isViolated = false
    for (const occurrence of occurrences) {
      if (!automaton.reads(occurrence)) continue
      const [only] = after
      if (only !== undefined && after.length === 1) {
        const following = automaton.next(only, occurrence)
        if (following.length === 1 && following[0] !== violated) {
          if (following[0] !== only) after = following
          continue
        }
      }
      const next = new Set<string>()
      for (const state of after)
        for (const one of automaton.next(state, occurrence)) {
          if (one === violated) isViolated = true
          next.add(one === violated ? unviolated(state) : one)
        }
      after = [...next]
    }
    return after === before ? null : { states: after, isViolated }
  }
  return {
    policy,
    events,
    readsLike,
    violates: (_event, occurrences) => read(states, occurrences())?.isViolated === true,
    follow(_event, occurrences) {
      const after = read(states, occurrences())
      if (after === null) return false
      states = after.states
      return after.isViolated
    },
  }
}
