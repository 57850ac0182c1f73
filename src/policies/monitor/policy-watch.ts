import type { Automaton } from "../automaton.js"
import { violated } from "../automaton.js"
import { automatonOf } from "../policy-automaton.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy } from "../policy.js"
import type { JudgedEvent } from "./judged-event.js"
import type { EventFilter } from "./read-events.js"

/** A policy that is prepared for all runs of a chart. */
export interface WatchedPolicy {
  readonly policy: Policy
  /**
   * Returns when the policy reads events of the same type with the same tool or agent.
   * `occurrences` contains the occurrences of the event.
   */
  reading(event: JudgedEvent, occurrences: readonly Occurrence[]): Reading
  /** Returns the state of the policy for a new run. */
  open(): PolicyWatch
}

/** When a policy reads an event. `whileActive`: while its watch is active. */
export type Reading = "always" | "whileActive" | "never"

/** Follows one policy during a run. */
export interface PolicyWatch {
  /** Whether the policy currently reads the events with `whileActive`. */
  readonly isActive: boolean
  /** Returns whether the event would violate the policy. Has no side effects. */
  violates(event: JudgedEvent, read: ReadOccurrences): boolean
  /** Updates the state of the policy after the event. Returns whether the event violates it. */
  follow(event: JudgedEvent, read: ReadOccurrences): boolean
}

/** Returns the occurrences of the event, in order. */
export type ReadOccurrences = () => readonly Occurrence[]

/** The state of a policy after some occurrences. */
interface Read {
  readonly states: readonly string[]
  readonly isViolated: boolean
}

/**
 * Compiles a policy about activities: `notTogether`, or a policy for each activation of an agent.
 * The watch is active while such an activity is open. Returns null for policies that are not about
 * the order of occurrences.
 */
export function watchActivities(policy: Policy, filter: EventFilter): WatchedPolicy | null {
  const automaton = automatonOf(policy)
  if (automaton === null) return null
  const { start } = automaton
  const begins = (occurrence: Occurrence): boolean =>
    automaton.next(start, occurrence).some((state) => state !== start)
  return {
    policy,
    reading(event, occurrences) {
      if (!filter.reads(event)) return "never"
      const isPlaced = filter.readsPlaceOf(event.agent)
      return isPlaced || occurrences.some(begins) ? "always" : "whileActive"
    },
    open: () => new ActivityWatch(policy, automaton),
  }
}

/**
 * Tracks the activities of a policy. A violating occurrence leaves the state unchanged, so further
 * violations are detected too.
 */
class ActivityWatch implements PolicyWatch {
  readonly #policy: Policy
  readonly #automaton: Automaton
  #states: readonly string[]

  constructor(policy: Policy, automaton: Automaton) {
    this.#policy = policy
    this.#automaton = automaton
    this.#states = [automaton.start]
  }

  get isActive(): boolean {
    return this.#states.length > 1 || this.#states[0] !== this.#automaton.start
  }

  violates(_event: JudgedEvent, occurrences: ReadOccurrences): boolean {
    return this.#read(occurrences())?.isViolated === true
  }

  follow(_event: JudgedEvent, occurrences: ReadOccurrences): boolean {
    const after = this.#read(occurrences())
    if (after === null) return false
    this.#states = after.states
    return after.isViolated
  }

  #read(occurrences: readonly Occurrence[]): Read | null {
    const { over } = this.#automaton
    let after = this.#states
    let isViolated = false
    for (const occurrence of occurrences) {
      if (!this.#automaton.reads(occurrence)) continue
      const next = new Set<string>()
      for (const state of after)
        for (const one of this.#automaton.next(state, occurrence)) {
          if (one === violated) isViolated = true
          if (one !== over) next.add(one === violated ? this.#unviolated(state) : one)
        }
      after = [...next]
    }
    return after === this.#states ? null : { states: after, isViolated }
  }

  /**
   * Returns a state without its violation, so that a response that is missing at the end of a run
   * is reported once.
   */
  #unviolated(state: string): string {
    return this.#policy.rule.pattern === "whenever" ? this.#automaton.fulfil(state) : state
  }
}
