import type { NamedAction } from "../../machines/contract/chart-machine.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Act } from "./act.js"

/**
 * The state of a behavior. Two states with the same key have the same possible futures. The
 * explorer stores the values of tracked keys and the counter of model calls separately.
 */
export interface Control {
  readonly key: string
}

/** How an agent, a machine or a branch ended. */
export interface End {
  readonly signal: Outcome
  /** The team member that receives the conversation. null: no handoff. */
  readonly handoffTo: string | null
  /** Whether the result of a tool became the text of the turn. */
  readonly answeredByTool: boolean
  /** Whether a nested agent escalated, which ends the enclosing loops (adk). */
  readonly escalates: boolean
  /**
   * Only for host functions: the sub-agent that the function runs next. null: the function has
   * returned.
   */
  readonly runs: string | null
  /** Only for parallel states: whether a branch failed. */
  readonly someFailed: boolean
  readonly someEscalated: boolean
  /** The transition of a region that leaves its parallel state. null: there is none. */
  readonly escape: Escape | null
  /** Only for the functions of graph nodes: the returned route. null: no route. */
  readonly route: string | null
  /** The keys that were written. The enclosing agent reports them. */
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
 * One effect of a move on the data of the explorer: the automaton of the policy, the values of
 * tracked keys and the counter of model calls. The explorer skips moves whose effects are
 * impossible.
 */
export type RunEffect =
  | { readonly type: "occurs"; readonly occurrence: Occurrence }
  /** A condition is evaluated with this result. */
  | {
      readonly type: "condition"
      readonly source: string
      readonly result: ConditionOutcome
      /** Index of the innermost loop iteration; null outside loops. */
      readonly iteration: number | "unknown" | null
    }
  /** A key receives an unknown value. null: the runtime itself writes the value. */
  | {
      readonly type: "write"
      readonly key: string
      readonly value: WrittenValue
      readonly by: Writer
      /** `false`: the run emits the event of this write later. */
      readonly isReported?: boolean
    }
  /** The run emits the event of an earlier write. */
  | { readonly type: "reported"; readonly key: string; readonly by: Writer }
  /**
   * The values of these keys are unknown until they are released, because parallel branches write
   * them.
   */
  | { readonly type: "hide"; readonly keys: readonly string[] }
  | { readonly type: "release"; readonly keys: readonly string[] }
  /** The user sent a message, which resets the count of the root's cycles. */
  | { readonly type: "heard" }
  /** A model call is made, or rejected because the maximum number of calls is reached. */
  | { readonly type: "meter"; readonly is: "call" | "limit" }
  /** An undeclared function runs that could satisfy the policy. */
  | { readonly type: "function"; readonly use: FunctionUse }
  /** The run receives a response. The explorer stores it only to print the path. */
  | { readonly type: "act"; readonly act: Act }
  /**
   * A list has at least and at most so many items. If the minimum is null, the list is longer than
   * `most`, or the value is not a list.
   */
  | {
      readonly type: "items"
      readonly source: string
      readonly least: number | null
      readonly most: number
    }
  /** The agent's latest output text. */
  | { readonly type: "says"; readonly text: string }
  /** Several steps of a reduced branch: the relevant effects, and all effects for the path. */
  | {
      readonly type: "steps"
      readonly visible: readonly RunEffect[]
      readonly all: readonly RunEffect[]
    }

export type ConditionOutcome = "holds" | "fails" | "raises"

/** A written value. `text`: an arbitrary text. `any`: an arbitrary JSON value. */
export type WrittenValue =
  | { readonly type: "text" }
  | { readonly type: "any" }
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "removed" }

/** The agent that writes a key, and its position in the run. */
export type Writer = Pick<Occurrence, "agent" | "within">

/**
 * An undeclared function or toolset on a path, or a user-defined machine. A real run may never take
 * the path.
 */
export interface FunctionUse {
  readonly name: string
  readonly of: "function" | "toolset" | "machine"
  /** The effect that the function must have for this path, such as `call edit_page`. */
  readonly capability: string | null
  /** Names of the agents that a custom agent can run. Empty for other functions. */
  readonly runs: readonly string[]
  /**
   * For a callback that runs before tool calls and can change their arguments: name of the tool.
   */
  readonly before?: string
}

/** A possible continuation: its effects in order, and the next state or the end. */
export interface Variant<State extends Control = Control> {
  readonly effects: readonly RunEffect[]
  readonly next: State | null
  /** Set if `next` is null. */
  readonly end: End | null
}

/** A step that a run can take. */
export interface Move<State extends Control = Control> extends Variant<State> {
  /**
   * Number of journal records that the step adds: 1 for a response, a result or a timer, otherwise
   * 0.
   */
  readonly records: number
  /** A sentence that describes the step with the user's names. null: the step is not shown. */
  readonly does: string | null
  readonly agent: string | null
}

/** The possible executions of one part of a chart, such as an agent, as a transition system. */
export interface Behavior<State extends Control = Control> {
  /** Returns the possible initial states. */
  start(): readonly Variant<State>[]
  moves(state: State): readonly Move<State>[]
  /**
   * Returns whether the state only waits for people. A waiting branch does not count towards
   * `maxConcurrency`.
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

/** Returns the variants with additional effects before their own. */
export const after = <Step extends Variant>(
  effects: readonly RunEffect[],
  variants: readonly Step[],
): readonly Step[] =>
  effects.length === 0
    ? variants
    : variants.map((variant) => ({ ...variant, effects: [...effects, ...variant.effects] }))

/**
 * Returns a variant as a step that adds one journal record, because the run receives a response.
 */
export const recorded = <State extends Control>(
  { effects, next, end }: Variant<State>,
  act: Act,
  agent: string | null,
  does: string | null,
): Move<State> => ({ effects: [acted(act), ...effects], next, end, records: 1, does, agent })
