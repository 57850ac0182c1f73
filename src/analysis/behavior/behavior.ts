import type { NamedAction } from "../../machines/contract/chart-machine.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Act } from "./act.js"

/**
 * The state of a behavior. Two states with the same key behave in the same way from then on, except
 * for the values of tracked keys and the counter of model calls, which the explorer keeps.
 */
export interface Control {
  readonly key: string
}

/** How the work of an agent, a machine or a branch has ended. */
export interface End {
  readonly signal: Outcome
  /** The member of a team that gets the conversation; null: none. */
  readonly handoffTo: string | null
  /** The result of a tool became the text of the turn. */
  readonly answeredByTool: boolean
  /** An agent inside escalated, so that enclosing loops end (adk). */
  readonly escalates: boolean
  /** Only for host functions: the sub-agent that the function runs next; null: it has returned. */
  readonly runs: string | null
  /** Only for parallel states: how branches have ended. */
  readonly someFailed: boolean
  readonly someEscalated: boolean
  /** The transition of a region that leads out of its parallel state; null: there is none. */
  readonly escape: Escape | null
  /** Only for the code of graph nodes: the chosen route; null: none. */
  readonly route: string | null
  /** The keys that the part has written, which the part around it reports. */
  readonly wrote: readonly string[]
}

/** A transition out of a parallel state, which ends all of its branches. */
export interface Escape {
  readonly target: string
  readonly actions: readonly NamedAction[]
  readonly end: End
}

export const endWith = (signal: Outcome, other: Partial<End> = {}): End => ({
  signal,
  handoffTo: null,
  answeredByTool: false,
  escalates: false,
  runs: null,
  someFailed: false,
  someEscalated: false,
  escape: null,
  route: null,
  wrote: [],
  ...other,
})

/**
 * One effect of a move on what the explorer keeps: the automaton of the policy, the values of
 * tracked keys and the counter of model calls. The explorer leaves out moves whose effects are
 * impossible.
 */
export type RunEffect =
  | { readonly type: "occurs"; readonly occurrence: Occurrence }
  /** A condition is checked with this result. */
  | {
      readonly type: "condition"
      readonly source: string
      readonly result: ConditionOutcome
      /** Index of the innermost loop iteration; null outside loops. */
      readonly iteration: number | "unknown" | null
    }
  /** A key gets an unknown value; null: it gets the value that a system writes. */
  | {
      readonly type: "write"
      readonly key: string
      readonly value: WrittenValue
      readonly by: Writer
      /** `false`: the run reports the write later. */
      readonly isReported?: boolean
    }
  /** The run reports a key that was written before. */
  | { readonly type: "reported"; readonly key: string; readonly by: Writer }
  /** Keys have any value until they are released, because branches write them. */
  | { readonly type: "hide"; readonly keys: readonly string[] }
  | { readonly type: "release"; readonly keys: readonly string[] }
  /** The user said something, so that the root may run as many cycles as at first. */
  | { readonly type: "heard" }
  /** A model call is made, or refused because the maximum number of calls is reached. */
  | { readonly type: "meter"; readonly is: "call" | "limit" }
  /** An undeclared function runs, which can do what the policy waits for. */
  | { readonly type: "function"; readonly use: FunctionUse }
  /** Somebody answers the run. The explorer only keeps it for the path. */
  | { readonly type: "act"; readonly act: Act }
  /** The last text of an agent is this one. */
  | { readonly type: "says"; readonly text: string }
  /** Several steps of a reduced branch: the effects that matter, and all effects for the path. */
  | {
      readonly type: "steps"
      readonly visible: readonly RunEffect[]
      readonly all: readonly RunEffect[]
    }

export type ConditionOutcome = "holds" | "fails" | "raises"

/** A value that is written. `text`: any text; `any`: any JSON value. */
export type WrittenValue =
  | { readonly type: "text" }
  | { readonly type: "any" }
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "removed" }

/** The agent that writes a key, and its location. */
export type Writer = Pick<Occurrence, "agent" | "within">

/**
 * An undeclared function or toolset that takes part in a path, or a machine of a user, which may
 * never take the path.
 */
export interface FunctionUse {
  readonly name: string
  readonly of: "function" | "toolset" | "machine"
  /** Text such as `call edit_page`: what the function would have to do. */
  readonly capability: string | null
  /** Names of the agents that a custom agent can run; empty for other functions. */
  readonly runs: readonly string[]
  /** Name of the tool before whose calls a callback runs, whose arguments it can change. */
  readonly before?: string
}

/** A possible continuation: effects in order, and the next state or the end. */
export interface Variant<State extends Control = Control> {
  readonly effects: readonly RunEffect[]
  readonly next: State | null
  /** Set if `next` is null. */
  readonly end: End | null
}

/** A step that a run can take. */
export interface Move<State extends Control = Control> extends Variant<State> {
  /** Number of journal records of the step: 1 for an answer, a result, a timer; 0 for others. */
  readonly records: number
  /** A sentence about the step for people, in the user's own names; null: it is not worth telling. */
  readonly does: string | null
  readonly agent: string | null
}

/** What one part of a chart can do, seen from outside. */
export interface Behavior<State extends Control = Control> {
  /** The states in which it can start. */
  start(): readonly Variant<State>[]
  moves(state: State): readonly Move<State>[]
  /** Whether the part waits for people only, so that its place in a parallel block is free. */
  waits(state: State): boolean
}

export const ended = (end: End, effects: readonly RunEffect[] = []): Variant<never> => ({
  effects,
  next: null,
  end,
})

export const goesTo = <State extends Control>(
  next: State,
  effects: readonly RunEffect[] = [],
): Variant<State> => ({ effects, next, end: null })

export const occurs = (occurrence: Occurrence): RunEffect => ({ type: "occurs", occurrence })

export const acted = (act: Act): RunEffect => ({ type: "act", act })

/** Returns the variants with effects in front of their own. */
export const after = <Step extends Variant>(
  effects: readonly RunEffect[],
  variants: readonly Step[],
): readonly Step[] =>
  effects.length === 0
    ? variants
    : variants.map((variant) => ({ ...variant, effects: [...effects, ...variant.effects] }))

/** Returns a variant as a step that takes one record, because somebody answers. */
export const recorded = <State extends Control>(
  { effects, next, end }: Variant<State>,
  act: Act,
  agent: string | null,
  does: string | null,
): Move<State> => ({ effects: [acted(act), ...effects], next, end, records: 1, does, agent })
