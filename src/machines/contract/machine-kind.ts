import type { MachineEvent } from "./machine-event.js"
import type { CompiledCondition, SharedSteps } from "../../expression/index.js"
import type { AgentChart } from "./agent-chart.js"
import type { StateMeta } from "./chart-machine.js"
import type { JsonObject } from "../data/json-object.js"
import type { PendingRequest } from "./pending-request.js"
import type { SessionState } from "../data/session-state.js"
import type { EmittedEvent } from "./run-event.js"

/**
 * An output type whose fields can be assigned, for the context of the machine that creates the
 * output.
 */
export type Writable<Output> = { -readonly [Field in keyof Output]: Output[Field] }

/** The parts of a chart that actions and guards can read. */
export interface Lookup {
  readonly chart: AgentChart
  /** Returns the metadata of a state of this machine. */
  metaOf(place: string): StateMeta
  /**
   * Returns a compiled condition. Throws `ConditionRefused` if the source is not a valid condition.
   */
  condition(source: string): CompiledCondition
  /**
   * Validates a value against a JSON schema. Returns the problem, or null if the value is valid.
   */
  validate(schema: JsonObject, value: unknown): string | null
}

/** The decision about a call that would violate a policy. */
export type PolicyJudgement =
  /** The call is not made. The model is told the message. */
  | { readonly action: "refuse"; readonly message: string }
  /** A person is asked to approve the call. */
  | { readonly action: "ask"; readonly message: string }
  /** The run ends, so the call stays open until its machine is stopped. */
  | { readonly action: "end" }

/** An event that begins a tool call. */
export type ToolCalledEvent = Extract<EmittedEvent, { type: "tool.called" }>

/**
 * The effects that an action can request besides changing its context. The interpreter executes
 * them after the macrostep. Actions do not use a clock, randomness or I/O.
 */
export interface Step extends Lookup {
  emit(event: EmittedEvent): void
  /**
   * Returns what to do with a tool call that would violate a policy, or null if the call may be
   * made.
   */
  judge(event: ToolCalledEvent): PolicyJudgement | null
  /** Starts a child actor. If a child with the same id is running, it is replaced. */
  start(id: string, src: string, input: unknown): void
  stop(id: string): void
  /**
   * Stops a child like a cancelled run: the machines below it end first and pass on their finished
   * work. The child then ends with its output. `time` is in milliseconds since the epoch.
   */
  interrupt(id: string, time: number): void
  sendParent(event: MachineEvent): void
  /** Remaining steps for all conditions that are evaluated because of one event. */
  readonly conditionSteps: DecisionSteps
}

/** The step budget of all conditions that are evaluated because of one event. */
export interface DecisionSteps extends SharedSteps {
  /** Steps that further conditions can still add to the budget. */
  reserve: number
}

/**
 * Implements a named action. It assigns new values to fields of the context and never mutates the
 * old values. XState runs it as an assignment. The driver runs it directly on the context of the
 * instance.
 */
export type Update<Context> = (
  context: Context,
  event: MachineEvent,
  params: never,
  step: Step,
) => void

/** Implements a named guard as a pure function. */
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
   * Returns the input of the child actor that a state invokes. `config` is the static input in the
   * chart.
   */
  childInput(
    context: Context,
    src: string,
    config: Readonly<Record<string, unknown>>,
    lookup: Lookup,
  ): unknown
  output(context: Context): Output
  /**
   * Recomputes the context values that depend on the session state. Called after a fork has changed
   * the state.
   */
  refill?(context: Context): void
  /** Returns the state that the run shows while this machine is running. */
  liveState?(context: Context): SessionState
  /** Set if the results of running children are discarded when this machine is stopped. */
  readonly dropsChildren?: true
  /** Returns the pending requests of this machine. */
  pending(context: Context): readonly PendingRequest[]
}

/** The run and the location in it at which an agent or a machine runs. */
export interface RunLocation {
  readonly runId: string
  /** Path of the agent in the run, including loop iterations and tool calls. */
  readonly path: string
  readonly branch: string | null
}
