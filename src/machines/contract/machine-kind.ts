import type { MachineEvent } from "./machine-event.js"
import type { CompiledCondition, SharedSteps } from "../../expression/index.js"
import type { AgentChart } from "./agent-chart.js"
import type { StateMeta } from "./chart-machine.js"
import type { JsonObject } from "../data/json-object.js"
import type { PendingRequest } from "./pending-request.js"
import type { SessionState } from "../data/session-state.js"
import type { EmittedEvent } from "./run-event.js"

/**
 * A type without its `readonly` modifiers. A context can extend the writable type of the machine's
 * output, because actions assign the fields of the output one by one.
 */
export type Writable<Output> = { -readonly [Field in keyof Output]: Output[Field] }

/**
 * The read-only data and functions that actions and guards can use. They consist of the chart,
 * state metadata, compiled conditions and schema validation.
 */
export interface Lookup {
  readonly chart: AgentChart
  /**
   * Returns the metadata of the state at this path of the machine, such as
   * `pipeline.rounds.writer`.
   */
  metaOf(place: string): StateMeta
  /**
   * Compiles a condition, such as `session_state['score'] > 8`. Throws `ConditionRefused` if the
   * condition is invalid.
   */
  condition(source: string): CompiledCondition
  /**
   * Validates a value against a JSON schema. Returns an error message, or null if the value is
   * valid.
   */
  validate(schema: JsonObject, value: unknown): string | null
}

/** The decision about a tool call that would violate a policy. */
export type PolicyJudgement =
  /** The tool call is not made. The model receives the message as the result of the call. */
  | { readonly action: "refuse"; readonly message: string }
  /** A person must approve the tool call. The message explains the violation. */
  | { readonly action: "ask"; readonly message: string }
  /** The policy ends the run. The tool call is not made and does not return a result. */
  | { readonly action: "end" }

export type ToolCalledEvent = Extract<EmittedEvent, { type: "tool.called" }>

/**
 * The functions that an action of a machine can call. They emit events, start and stop child
 * actors, and send events to the parent machine. The interpreter executes these effects after the
 * macrostep. Actions do not use the clock, randomness or I/O.
 */
export interface Step extends Lookup {
  emit(event: EmittedEvent): void
  /**
   * Returns the action for a tool call that would violate a policy, or null if the call is allowed.
   */
  judge(event: ToolCalledEvent): PolicyJudgement | null
  /** Starts a child actor. If a child with the same id is running, the new child replaces it. */
  start(id: string, src: string, input: unknown): void
  stop(id: string): void
  /**
   * Stops a child actor but keeps its finished work, as when a run is cancelled. The children of
   * this child end first and return their finished work. Then the child ends with its output.
   * `time` is in milliseconds since the epoch.
   */
  interrupt(id: string, time: number): void
  sendParent(event: MachineEvent): void
  /** Limit for the evaluation steps of all conditions that are evaluated for one event. */
  readonly conditionSteps: DecisionSteps
}

/** A limit for evaluation steps. All conditions that are evaluated for one event share it. */
export interface DecisionSteps extends SharedSteps {
  /**
   * Number of evaluation steps that can still be added to the limit `left`. Each evaluated
   * condition moves some steps from `reserve` to `left`.
   */
  reserve: number
}

/**
 * The implementation of a named action. It assigns new values to the fields of `context`, and never
 * mutates the old values. There are two interpreters. XState runs the function as an `assign`
 * action. The driver, which is the interpreter of this package, calls it directly.
 */
export type Update<Context> = (
  context: Context,
  event: MachineEvent,
  params: never,
  step: Step,
) => void

/** The implementation of a named guard. It must be a pure function. */
export type Guard<Context> = (
  context: Context,
  event: MachineEvent,
  params: never,
  lookup: Lookup,
) => boolean

/**
 * The implementation of a machine config. It contains the functions to which the JSON config refers
 * by name, and the functions that create the context and the output.
 */
export interface MachineKind<Context, Input, Output> {
  contextFrom(input: Input, chart: AgentChart): Context
  readonly updates: Readonly<Record<string, Update<Context>>>
  readonly guards: Readonly<Record<string, Guard<Context>>>
  /**
   * Returns the input for the child actor `src` that a state invokes. `config` is the `input` of
   * this invoke in the machine config.
   */
  childInput(
    context: Context,
    src: string,
    config: Readonly<Record<string, unknown>>,
    lookup: Lookup,
  ): unknown
  output(context: Context): Output
  /**
   * Recomputes context values that depend on the session state, such as filled instructions. It is
   * called after a fork of the run has changed the state. Absent if the machine has no such values.
   */
  refill?(context: Context): void
  /**
   * Returns the session state that the run reports while this machine is running. Absent if the
   * machine does not report a state.
   */
  liveState?(context: Context): SessionState
  /** Set if the results of running child actors are discarded when this machine is stopped. */
  readonly dropsChildren?: true
  /** Returns the pending requests of this machine, such as questions to a person. */
  pending(context: Context): readonly PendingRequest[]
}

/** The location of an agent or a machine: the run, the path in the run, and the parallel branch. */
export interface RunLocation {
  readonly runId: string
  /**
   * Path of the agent in the run, such as `pipeline/rounds[2]/writer`. It contains loop iterations
   * and tool calls.
   */
  readonly path: string
  readonly branch: string | null
}
