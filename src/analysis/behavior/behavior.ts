import type { NamedAction } from "../../machines/contract/chart-machine.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Act } from "./act.js"

/**
 * A control state in the transition system of an agent or machine ({@link Behavior}). Control
 * states with the same `key` have the same possible futures. The model checker stores the values of
 * session state keys and the number of model calls separately.
 */
export interface Control {
  readonly key: string
}

/** The result of an agent, a machine or a parallel branch that has ended. */
export interface End {
  readonly signal: Outcome
  /** The agent that receives the conversation next. null if there is no handoff. */
  readonly handoffTo: string | null
  /** Whether the output text of the turn is the result of a tool. */
  readonly answeredByTool: boolean
  /** Whether a nested agent escalated, which ends all enclosing loops. Only in the adk dialect. */
  readonly escalates: boolean
  /**
   * The sub-agent that a host function of a custom agent runs next. null if the function has
   * returned, and for all other ends.
   */
  readonly runs: string | null
  /** Whether at least one branch of a parallel state failed. False for all other ends. */
  readonly someFailed: boolean
  readonly someEscalated: boolean
  /**
   * The transition with which a region leaves its parallel state early. null if the region ended
   * normally.
   */
  readonly escape: Escape | null
  /** The route that the function of a graph node returned. null if it returned no route. */
  readonly route: string | null
  /**
   * Session state keys that were written, but for which the run has not emitted a write event yet.
   * The enclosing agent emits these events.
   */
  readonly wrote: readonly string[]
}

/** A transition that leaves a parallel state and therefore ends all of its branches. */
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
 * One effect of a step, which the model checker applies to the automaton of the policy, the values
 * of the tracked session state keys, or the number of model calls. A step with an impossible effect
 * is skipped.
 */
export type RunEffect =
  | { readonly type: "occurs"; readonly occurrence: Occurrence }
  /** A condition of the chart is evaluated with this result. */
  | {
      readonly type: "condition"
      readonly source: string
      readonly result: ConditionOutcome
      /** Number of the current iteration of the innermost loop. null outside of loops. */
      readonly iteration: number | "unknown" | null
    }
  /** An agent, a tool, a function or the runtime writes a session state key. */
  | {
      readonly type: "write"
      readonly key: string
      readonly value: WrittenValue
      readonly by: Writer
      /** Whether the run emits the write event immediately (default) or later (`false`). */
      readonly isReported?: boolean
    }
  /** The run emits the write event for a key that was written in an earlier step. */
  | { readonly type: "reported"; readonly key: string; readonly by: Writer }
  /**
   * Treats the values of these session state keys as unknown, because parallel branches write them.
   * The effect `release` ends this.
   */
  | { readonly type: "hide"; readonly keys: readonly string[] }
  | { readonly type: "release"; readonly keys: readonly string[] }
  /** The user sends a message, which resets the number of cycles (passes of the root agent). */
  | { readonly type: "userMessage" }
  /**
   * A model call is made (`call`), or is rejected because the maximum number of calls is reached
   * (`limit`).
   */
  | { readonly type: "meter"; readonly is: "call" | "limit" }
  /**
   * The run uses a function, a toolset or a machine whose effects the policy file does not declare.
   * If undeclared functions are assumed to be helpful, the function can satisfy the policy.
   */
  | { readonly type: "function"; readonly use: FunctionUse }
  /**
   * The run receives a response. The model checker stores the response to describe the path of a
   * counterexample. It has no other effect.
   */
  | { readonly type: "act"; readonly act: Act }
  /**
   * The value of an expression is a list with `least` to `most` items. If `least` is null, the list
   * has more than `most` items or the value is not a list.
   */
  | {
      readonly type: "items"
      readonly source: string
      readonly least: number | null
      readonly most: number
    }
  /** The last response has exactly this text, which selects the route that the run takes next. */
  | { readonly type: "fixedText"; readonly text: string }
  /**
   * The effects of several steps of a parallel branch, after irrelevant steps were removed. The
   * model checker applies the effects in `visible`. `all` also contains the effects of removed
   * steps, which are needed to describe the path.
   */
  | {
      readonly type: "steps"
      readonly visible: readonly RunEffect[]
      readonly all: readonly RunEffect[]
    }

export type ConditionOutcome = "holds" | "fails" | "raises"

/**
 * The value that is written to a key. `text` is any text, `any` is any JSON value, and `value` is
 * exactly this value. `removed` means that the key is deleted.
 */
export type WrittenValue =
  | { readonly type: "text" }
  | { readonly type: "any" }
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "removed" }

/** The agent that writes a key, and the agents and tool calls that enclose it. */
export type Writer = Pick<Occurrence, "agent" | "within">

/**
 * Records that a path uses an undeclared function, an undeclared toolset or a user-defined machine.
 * Such a path is uncertain, because a real run may never take it.
 */
export interface FunctionUse {
  readonly name: string
  readonly of: "function" | "toolset" | "machine"
  /**
   * The effect that the function needs so that this path is possible, such as `call edit_page`.
   * null if the path needs no specific effect.
   */
  readonly capability: string | null
  /** Names of the agents that a custom agent can run. Empty for all other functions. */
  readonly runs: readonly string[]
  /**
   * Name of the tool whose arguments a callback can change before a call. Absent for all other
   * functions.
   */
  readonly before?: string
}

/**
 * A possible continuation of a control state. It consists of effects in order, followed by the next
 * control state or the end.
 */
export interface Variant<State extends Control = Control> {
  readonly effects: readonly RunEffect[]
  readonly next: State | null
  /** The result if the agent or machine has ended. null if `next` is set. */
  readonly end: End | null
}

/** A transition from one control state to the next or to the end. */
export interface Move<State extends Control = Control> extends Variant<State> {
  /**
   * Number of journal records that the transition adds. 1 for a response, a result or a timeout, 0
   * for other transitions.
   */
  readonly records: number
  /**
   * A sentence that describes the transition for the counterexample, such as "A person approves."
   * null if the transition is not shown.
   */
  readonly does: string | null
  readonly agent: string | null
}

/**
 * All possible executions of an agent, a machine or a state of a chart, as a transition system for
 * model checking.
 */
export interface Behavior<State extends Control = Control> {
  /** Returns the possible first control states, with the effects of the start. */
  start(): readonly Variant<State>[]
  moves(state: State): readonly Move<State>[]
  /**
   * Returns whether an execution can only continue after an action of a person. A waiting parallel
   * branch does not count towards `maxConcurrency`.
   */
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

/** Returns the variants with `effects` inserted before the effects of each variant. */
export const after = <Step extends Variant>(
  effects: readonly RunEffect[],
  variants: readonly Step[],
): readonly Step[] =>
  effects.length === 0
    ? variants
    : variants.map((variant) => ({ ...variant, effects: [...effects, ...variant.effects] }))

/**
 * Converts a variant to a transition that adds one journal record, because the run receives the
 * response `act`.
 */
export const recorded = <State extends Control>(
  { effects, next, end }: Variant<State>,
  act: Act,
  agent: string | null,
  does: string | null,
): Move<State> => ({ effects: [acted(act), ...effects], next, end, records: 1, does, agent })
