import type { NamedAction } from "../../machines/contract/chart-machine.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Act } from "./act.js"

/**
 * A state of a {@link Behavior}. States with equal `key` have the same possible futures. The
 * explorer stores the values of session state keys and the number of model calls separately.
 */
export interface Control {
  readonly key: string
}

/** The result of an agent, a machine or a parallel branch that has ended. */
export interface End {
  readonly signal: Outcome
  /** The team member that receives the conversation next. null: no handoff. */
  readonly handoffTo: string | null
  /** Whether the result of a tool became the output text of the turn. */
  readonly answeredByTool: boolean
  /** Whether a nested agent escalated, which ends all enclosing loops (adk only). */
  readonly escalates: boolean
  /**
   * Only for host functions: the sub-agent that the function runs next. null: the function has
   * returned.
   */
  readonly runs: string | null
  /** Only for parallel states: whether at least one branch failed. */
  readonly someFailed: boolean
  readonly someEscalated: boolean
  /**
   * The transition with which a region leaves its parallel state. null: the region ended normally.
   */
  readonly escape: Escape | null
  /** Only for functions of graph nodes: the route that the function returned. null: no route. */
  readonly route: string | null
  /**
   * The keys that were written, but for which no write event has been emitted yet. The enclosing
   * agent emits these events.
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
 * One effect of a step on the state of the search: on the automaton of the policy, the values of
 * tracked keys and the number of model calls. The explorer skips a step if one of its effects is
 * impossible.
 */
export type RunEffect =
  | { readonly type: "occurs"; readonly occurrence: Occurrence }
  /** A condition is evaluated and has this result. */
  | {
      readonly type: "condition"
      readonly source: string
      readonly result: ConditionOutcome
      /** Number of the current iteration of the innermost loop. null: outside of loops. */
      readonly iteration: number | "unknown" | null
    }
  /** An agent, a tool, a function or the runtime writes a key. */
  | {
      readonly type: "write"
      readonly key: string
      readonly value: WrittenValue
      readonly by: Writer
      /** Whether the run emits the event of this write now (default) or later (`false`). */
      readonly isReported?: boolean
    }
  /** The run now emits the write event of an earlier write. */
  | { readonly type: "reported"; readonly key: string; readonly by: Writer }
  /**
   * From now on, the values of these keys are treated as unknown, because parallel branches write
   * them. The effect `release` ends this.
   */
  | { readonly type: "hide"; readonly keys: readonly string[] }
  | { readonly type: "release"; readonly keys: readonly string[] }
  /** The user sent a message, which resets the root agent's cycle count. */
  | { readonly type: "userMessage" }
  /**
   * `call`: a model call is made. `limit`: a model call is rejected, because the maximum number of
   * calls is reached.
   */
  | { readonly type: "meter"; readonly is: "call" | "limit" }
  /**
   * A function, toolset or machine is used whose effects the policy file does not declare. If
   * undeclared functions are assumed to be helpful, this can satisfy the policy.
   */
  | { readonly type: "function"; readonly use: FunctionUse }
  /**
   * The run receives a response. The search ignores this effect, but stores it to describe the path
   * of a counterexample.
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
  /**
   * The last response has exactly this text, because it selects the route that the run takes next.
   */
  | { readonly type: "fixedText"; readonly text: string }
  /**
   * The effects of several steps of a branch that was reduced to its relevant steps. `visible`: the
   * relevant effects, which the explorer applies. `all`: every effect, for the description of the
   * path.
   */
  | {
      readonly type: "steps"
      readonly visible: readonly RunEffect[]
      readonly all: readonly RunEffect[]
    }

export type ConditionOutcome = "holds" | "fails" | "raises"

/**
 * The value that is written. `text`: any text. `any`: any JSON value. `value`: this value.
 * `removed`: the key is deleted.
 */
export type WrittenValue =
  | { readonly type: "text" }
  | { readonly type: "any" }
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "removed" }

/** The agent that writes a key, and the activities that enclose the agent. */
export type Writer = Pick<Occurrence, "agent" | "within">

/**
 * The use of an undeclared function, an undeclared toolset or a user-defined machine on a path. The
 * path is uncertain, because a real run may never take it.
 */
export interface FunctionUse {
  readonly name: string
  readonly of: "function" | "toolset" | "machine"
  /**
   * The effect that the function must have so that this path is possible, such as `call edit_page`.
   * null: no specific effect.
   */
  readonly capability: string | null
  /** Names of the agents that a custom agent can run. Empty for other functions. */
  readonly runs: readonly string[]
  /**
   * Name of a tool. Only set for callbacks that run before calls of the tool and can change their
   * arguments.
   */
  readonly before?: string
}

/**
 * A possible continuation of a state: its effects in order, followed by the next state or the end.
 */
export interface Variant<State extends Control = Control> {
  readonly effects: readonly RunEffect[]
  readonly next: State | null
  /** How the execution ended. null if `next` is set. */
  readonly end: End | null
}

/** A transition from one state to the next state or to the end. */
export interface Move<State extends Control = Control> extends Variant<State> {
  /**
   * Number of journal records that the step adds. 1 for a response, a result or a timeout. 0 for
   * other steps.
   */
  readonly records: number
  /**
   * A sentence that describes the step with the names of the chart. null: the step is not shown.
   */
  readonly does: string | null
  readonly agent: string | null
}

/**
 * All possible executions of an agent or of another element of a chart, as a transition system for
 * model checking.
 */
export interface Behavior<State extends Control = Control> {
  /** Returns the possible initial states. */
  start(): readonly Variant<State>[]
  moves(state: State): readonly Move<State>[]
  /**
   * Returns whether a state can only continue after an action of a person. A branch in such a state
   * does not count towards `maxConcurrency`.
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
 * Converts a variant (a continuation) to a step that adds one journal record, for a received
 * response.
 */
export const recorded = <State extends Control>(
  { effects, next, end }: Variant<State>,
  act: Act,
  agent: string | null,
  does: string | null,
): Move<State> => ({ effects: [acted(act), ...effects], next, end, records: 1, does, agent })
