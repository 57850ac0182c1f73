import type { NamedAction } from "../../machines/contract/chart-machine.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Act } from "./act.js"

/**
 * A control state in the transition system of an agent or machine ({@link Behavior}). Control
 * states with the same `key` are equivalent, because the same further steps are possible from them.
 * The model checker stores the values of session state keys and the number of model calls
 * separately.
 */
export interface Control {
  readonly key: string
}

/**
 * How an agent, a machine or a parallel branch has ended, for example `done` or `failed`. Also
 * contains the data that the enclosing agent needs to continue.
 */
export interface End {
  readonly signal: Outcome
  /** The agent that receives the conversation next. null if there is no handoff. */
  readonly handoffTo: string | null
  /**
   * Whether the turn ended with the result of a tool as its output text. This happens if the tool
   * skips the summarization by the model.
   */
  readonly answeredByTool: boolean
  /** Whether a nested agent escalated, which ends all enclosing loops. Only in the adk dialect. */
  readonly escalates: boolean
  /**
   * The sub-agent that the host function of a custom agent starts next. `callbackAnswer` if a
   * callback has returned a response in place of its container. Otherwise null.
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
   * Session state keys that the agent, machine or branch has written. The enclosing agent emits
   * write events for these keys when it merges the changes.
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
 * One effect of a step of the run. It can change the automaton of the policy, the values of tracked
 * session state keys, or the number of model calls. The model checker skips a step with an
 * impossible effect, such as a condition result that contradicts a known value.
 */
export type RunEffect =
  | { readonly type: "occurs"; readonly occurrence: Occurrence }
  /** The condition `source` of the chart is evaluated and has the result `result`. */
  | {
      readonly type: "condition"
      readonly source: string
      readonly result: ConditionOutcome
      /**
       * Number of the current iteration of the innermost loop. `unknown` if the model checker does
       * not know the number. null outside of loops.
       */
      readonly iteration: number | "unknown" | null
    }
  /** An agent, a tool, a function or the runtime writes a session state key. */
  | {
      readonly type: "write"
      readonly key: string
      readonly value: WrittenValue
      readonly by: Writer
      /**
       * Whether the run emits a write event for this write immediately. If false, it emits the
       * event later (effect `reported`). Default: true.
       */
      readonly isReported?: boolean
    }
  /**
   * The run emits the write event for a key that it wrote in an earlier step. A policy observes the
   * write only at this time.
   */
  | { readonly type: "reported"; readonly key: string; readonly by: Writer }
  /**
   * Until the effect `release`, the values of these session state keys count as unknown, because
   * agents that run in parallel can write them.
   */
  | { readonly type: "hide"; readonly keys: readonly string[] }
  | { readonly type: "release"; readonly keys: readonly string[] }
  /** The user sends a message, which resets the number of cycles (passes of the root agent). */
  | { readonly type: "userMessage" }
  /**
   * The model checker counts a model call (`call`), or a call is rejected because the maximum
   * number of calls is reached (`limit`).
   */
  | { readonly type: "meter"; readonly is: "call" | "limit" }
  /**
   * The run uses a function, a toolset or a machine that the policy file does not declare. With the
   * assumption `helpful`, a function that can cause the events required by the policy does cause
   * them.
   */
  | { readonly type: "function"; readonly use: FunctionUse }
  /**
   * The run receives a response. The model checker only stores the response, to describe the path
   * of a counterexample.
   */
  | { readonly type: "act"; readonly act: Act }
  /**
   * The list expression of a `forEach` block returns a list with `least` to `most` items. If
   * `least` is null, it returns a list with more than `most` items, or a value that is not a list.
   */
  | {
      readonly type: "items"
      readonly source: string
      readonly least: number | null
      readonly most: number
    }
  /**
   * The last response must have exactly this text, because the text selects the route that the run
   * takes next.
   */
  | { readonly type: "fixedText"; readonly text: string }
  /**
   * The effects of several combined steps of a parallel branch. The model checker applies only
   * `visible`, the effects that are relevant to the policy. `all` also contains the irrelevant
   * effects, which are needed to describe the path of a counterexample.
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

/**
 * The agent that writes a session state key, and the agents and tool calls that enclose this agent.
 */
export type Writer = Pick<Occurrence, "agent" | "within">

/**
 * Records that a path uses an undeclared function, an undeclared toolset or a user-defined machine.
 * Such a path is uncertain, because a real run may never take it.
 */
export interface FunctionUse {
  readonly name: string
  readonly of: "function" | "toolset" | "machine"
  /**
   * The effect that the undeclared function is assumed to have, such as `call edit_page`. Without
   * this effect, the path is impossible. null if the path needs no specific effect.
   */
  readonly capability: string | null
  /**
   * Names of the sub-agents that a custom agent can start. Empty if the function is not a custom
   * agent.
   */
  readonly runs: readonly string[]
  /**
   * Name of the tool, if the function is a callback that runs before a tool call and can change its
   * arguments. Otherwise absent.
   */
  readonly before?: string
}

/**
 * One possible continuation of an execution. First, the effects take place in order. Then the
 * execution is in the control state `next`, or it has ended with the result `end`.
 */
export interface Variant<State extends Control = Control> {
  readonly effects: readonly RunEffect[]
  readonly next: State | null
  /** The result if the agent or machine has ended. null if `next` is set. */
  readonly end: End | null
}

/**
 * A transition from one control state to the next control state, or to the end of the execution.
 */
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
  /**
   * Returns the control states in which an execution can start. Each entry also contains the
   * effects of the start.
   */
  start(): readonly Variant<State>[]
  moves(state: State): readonly Move<State>[]
  /**
   * Returns whether an execution in this control state can only continue after an action of a
   * person. While a parallel branch waits, it does not count towards `maxConcurrency`.
   */
  waits(state: State): boolean
}

export const endVariant = (end: End, effects: readonly RunEffect[] = []): Variant<never> => ({
  effects,
  next: null,
  end,
})

export const nextVariant = <State extends Control>(
  next: State,
  effects: readonly RunEffect[] = [],
): Variant<State> => ({ effects, next, end: null })

export const occurrenceEffect = (occurrence: Occurrence): RunEffect => ({
  type: "occurs",
  occurrence,
})

export const responseEffect = (act: Act): RunEffect => ({ type: "act", act })

/**
 * Adds `effects` in front of the effects of each variant (possible continuation), and returns the
 * new variants.
 */
export const prependEffects = <Step extends Variant>(
  effects: readonly RunEffect[],
  variants: readonly Step[],
): readonly Step[] =>
  effects.length === 0
    ? variants
    : variants.map((variant) => ({ ...variant, effects: [...effects, ...variant.effects] }))

/**
 * Converts a variant (a possible continuation) to a transition in which the run receives the
 * response `act`. The transition adds one journal record.
 */
export const recordedMove = <State extends Control>(
  { effects, next, end }: Variant<State>,
  act: Act,
  agent: string | null,
  does: string | null,
): Move<State> => ({
  effects: [responseEffect(act), ...effects],
  next,
  end,
  records: 1,
  does,
  agent,
})
