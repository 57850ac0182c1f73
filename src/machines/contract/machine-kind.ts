import type { MachineEvent } from "./machine-event.js"
import type { CompiledCondition, SharedSteps } from "../../expression/index.js"
import type { AgentChart } from "./agent-chart.js"
import type { StateMeta } from "./chart-machine.js"
import type { JsonObject } from "../data/json-object.js"
import type { PendingRequest } from "./pending-request.js"
import type { SessionState } from "../data/session-state.js"
import type { EmittedEvent } from "./run-event.js"

/**
 * An output type without `readonly`. A machine assigns the fields one by one in its context while
 * it creates the output.
 */
export type Writable<Output> = { -readonly [Field in keyof Output]: Output[Field] }

/**
 * The read-only functions and data that actions and guards receive: the chart, its metadata,
 * compiled conditions and schema validation.
 */
export interface Lookup {
  readonly chart: AgentChart
  /** Returns the metadata of the state with this state path in this machine. */
  metaOf(place: string): StateMeta
  /** Compiles a condition. Throws `ConditionRefused` if the source is not a valid condition. */
  condition(source: string): CompiledCondition
  /**
   * Validates a value against a JSON schema. Returns an error message, or null if the value is
   * valid.
   */
  validate(schema: JsonObject, value: unknown): string | null
}

/** The decision about a tool call that would violate a policy. */
export type PolicyJudgement =
  /** The call is not made. The model receives the message as the result of the call. */
  | { readonly action: "refuse"; readonly message: string }
  /** A person is asked to approve the call. */
  | { readonly action: "ask"; readonly message: string }
  /**
   * The policy ends the run. The call is not made and has no result until its machine is stopped.
   */
  | { readonly action: "end" }

export type ToolCalledEvent = Extract<EmittedEvent, { type: "tool.called" }>

/**
 * The functions with which an action emits events, starts and stops child actors, and sends events
 * to the parent machine. The interpreter executes these effects after the macrostep. Actions do not
 * use the clock, randomness or I/O.
 */
export interface Step extends Lookup {
  emit(event: EmittedEvent): void
  /**
   * Returns what to do with a tool call that would violate a policy, or null if the call may be
   * made.
   */
  judge(event: ToolCalledEvent): PolicyJudgement | null
  /** Starts a child actor. Replaces a running child that has the same id. */
  start(id: string, src: string, input: unknown): void
  stop(id: string): void
  /**
   * Stops a child in an orderly way, as when a run is cancelled: the child's own children end first
   * and return their finished work to it. The child then ends with its output. `time` is in
   * milliseconds since the epoch.
   */
  interrupt(id: string, time: number): void
  sendParent(event: MachineEvent): void
  /** Step budget of all conditions that are evaluated because of one event. */
  readonly conditionSteps: DecisionSteps
}

/** The limit for the evaluation steps of all conditions that are evaluated because of one event. */
export interface DecisionSteps extends SharedSteps {
  /**
   * Number of steps that later conditions can still add to the budget. Each condition moves some of
   * them to the budget.
   */
  reserve: number
}

/**
 * Implementation of a named action. It assigns new values to fields of `context` and never mutates
 * the old values. The XState interpreter runs it as an `assign` action. The driver runs it directly
 * on the context of the machine.
 */
export type Update<Context> = (
  context: Context,
  event: MachineEvent,
  params: never,
  step: Step,
) => void

/** Implementation of a named guard. It must be a pure function. */
export type Guard<Context> = (
  context: Context,
  event: MachineEvent,
  params: never,
  lookup: Lookup,
) => boolean

/** The implementation of a machine config: the functions that the JSON config refers to by name. */
export interface MachineKind<Context, Input, Output> {
  contextFrom(input: Input, chart: AgentChart): Context
  readonly updates: Readonly<Record<string, Update<Context>>>
  readonly guards: Readonly<Record<string, Guard<Context>>>
  /**
   * Returns the input of the child actor `src` that a state invokes. `config` is the `input` of the
   * invoke in the chart.
   */
  childInput(
    context: Context,
    src: string,
    config: Readonly<Record<string, unknown>>,
    lookup: Lookup,
  ): unknown
  output(context: Context): Output
  /**
   * Recomputes the context values that depend on the session state. Called after a fork of the run
   * has changed the state.
   */
  refill?(context: Context): void
  /** Returns the session state that the run reports while this machine is running. */
  liveState?(context: Context): SessionState
  /** Set if the results of running children are discarded when this machine is stopped. */
  readonly dropsChildren?: true
  /** Returns the pending requests of this machine. */
  pending(context: Context): readonly PendingRequest[]
}

/** The run that contains an agent or a machine, and its location in this run. */
export interface RunLocation {
  readonly runId: string
  /** Path of the agent in the run, including loop iterations and tool calls. */
  readonly path: string
  readonly branch: string | null
}
