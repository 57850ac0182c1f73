import type { Automaton } from "../automaton.js"
import { violatedState } from "../automaton.js"
import { automatonOf } from "../policy-automaton.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy } from "../policy.js"
import type { JudgedEvent } from "./judged-event.js"
import type { EventFilter } from "./read-events.js"

/**
 * A compiled policy whose state during a run is more than a single number (see `CountingPolicy`).
 * All runs of a chart share it.
 */
export interface WatchedPolicy {
  readonly policy: Policy
  /**
   * Returns when the policy reads events like this event, which have the same type and the same
   * tool or agent. `occurrences` contains the actions that the event reports, such as a tool call.
   */
  reading(event: JudgedEvent, occurrences: readonly Occurrence[]): Reading
  /** Creates an object that checks the policy during a new run. */
  open(): PolicyWatch
}

/**
 * Defines when a policy reads a type of event. `whileActive` means that it reads such events only
 * while `PolicyWatch.isActive` is true.
 */
export type Reading = "always" | "whileActive" | "never"

/** Checks one policy during one run. Receives the events of the run in order. */
export interface PolicyWatch {
  /**
   * Whether the policy must currently read events for which `WatchedPolicy.reading` returned
   * `whileActive`. If false, these events are skipped.
   */
  readonly isActive: boolean
  /**
   * Returns whether the event would violate the policy if it were the next event. `read` returns
   * the actions that the event reports, such as a tool call. Has no side effects.
   */
  violates(event: JudgedEvent, read: ReadOccurrences): boolean
  /**
   * Updates the state of the policy after the event. `read` returns the actions that the event
   * reports, such as a tool call. Returns whether the event violates the policy.
   */
  follow(event: JudgedEvent, read: ReadOccurrences): boolean
}

/** Returns the occurrences of the current event, such as a tool call, in order. */
export type ReadOccurrences = () => readonly Occurrence[]

/**
 * The result of reading an event. Contains the possible states of the policy's automaton after the
 * event, and whether the event violated the policy.
 */
interface Read {
  readonly states: readonly string[]
  readonly isViolated: boolean
}

/**
 * Compiles a `notTogether` policy, or a policy that applies to each turn of an agent. Such a policy
 * is active while one of its agents or tool calls is running. Returns null if the policy does not
 * restrict the order or number of occurrences, such as tool calls.
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
      const readsAncestors = filter.readsAncestorsOf(event.agent)
      return readsAncestors || occurrences.some(begins) ? "always" : "whileActive"
    },
    open: () => new ActivityWatch(policy, automaton),
  }
}

/**
 * Checks one policy about agent turns or tool calls during one run. The check continues after a
 * violation, so later violations are also detected.
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
          if (one === violatedState) isViolated = true
          if (one !== over) next.add(one === violatedState ? this.#unviolated(state) : one)
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
