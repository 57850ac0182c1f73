import type { Automaton } from "../automaton.js"
import { violated } from "../automaton.js"
import { automatonOf } from "../policy-automaton.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy } from "../policy.js"
import type { JudgedEvent } from "./judged-event.js"
import type { EventFilter } from "./read-events.js"

/**
 * A policy that is compiled for all runs of a chart and is not checked with a counting automaton.
 */
export interface WatchedPolicy {
  readonly policy: Policy
  /**
   * Returns when the policy reads events with the type and the tool or agent of this event: always,
   * never, or only while the policy is active. `occurrences` contains the occurrences of the event.
   */
  reading(event: JudgedEvent, occurrences: readonly Occurrence[]): Reading
  /** Creates the state of the policy for a new run. */
  open(): PolicyWatch
}

/**
 * When a policy reads a type of event. `whileActive`: only while `PolicyWatch.isActive` is true.
 */
export type Reading = "always" | "whileActive" | "never"

/** Checks one policy during one run. */
export interface PolicyWatch {
  /** Whether the policy currently reads the events that are marked `whileActive`. */
  readonly isActive: boolean
  /** Returns whether the event would violate the policy if it came next. Has no side effects. */
  violates(event: JudgedEvent, read: ReadOccurrences): boolean
  /** Updates the state of the policy after the event. Returns whether the event violates it. */
  follow(event: JudgedEvent, read: ReadOccurrences): boolean
}

/** Computes the occurrences of the current event, in order. */
export type ReadOccurrences = () => readonly Occurrence[]

/** The possible automaton states after an event, and whether the event violated the policy. */
interface Read {
  readonly states: readonly string[]
  readonly isViolated: boolean
}

/**
 * Compiles `notTogether` policies, and policies that apply to each activation of an agent. Such a
 * policy is active while one of its activities is open. Returns null if the policy is not about the
 * order of occurrences.
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
 * The state of one policy about activities during one run. A violation does not change it, so that
 * later violations are also detected.
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
   * Returns the state in which the automaton continues after a violation. A `whenever` policy
   * continues as if the required response had happened, so that a missing response is reported only
   * once.
   */
  #unviolated(state: string): string {
    return this.#policy.rule.pattern === "whenever" ? this.#automaton.fulfil(state) : state
  }
}
