import type { MachineEvent } from "./machine-event.js"
import type { CompiledCondition, SharedSteps } from "../../expression/index.js"
import type { AgentChart } from "./agent-chart.js"
import type { StateMeta } from "./chart-machine.js"
import type { JsonObject } from "../data/json-object.js"
import type { PendingRequest } from "./pending-request.js"
import type { EmittedEvent } from "./run-event.js"

/** A mutable copy of an output type, for the context of the machine that creates it. */
export type Writable<Output> = { -readonly [Field in keyof Output]: Output[Field] }

/** The parts of the chart that actions and guards can read. */
export interface Lookup {
  readonly chart: AgentChart
  /** Returns the metadata of a state of this machine. */
  metaOf(place: string): StateMeta
  /** Returns a compiled condition. Throws `ConditionRefused` if it does not compile. */
  condition(source: string): CompiledCondition
  /**
   * Validates a value against a JSON schema. Returns the problem, or null if the value is valid.
   */
  validate(schema: JsonObject, value: unknown): string | null
}

/**
 * The effects that an action can cause besides changing its context. The interpreter executes them
 * after the macrostep. Actions use no clock, randomness or I/O.
 */
export interface Step extends Lookup {
  emit(event: EmittedEvent): void
  /** Starts a child actor. Replaces a running child with the same id. */
  start(id: string, src: string, input: unknown): void
  stop(id: string): void
  sendParent(event: MachineEvent): void
  /** Remaining steps for all conditions that one event causes to be evaluated. */
  readonly conditionSteps: SharedSteps
}

/**
 * A named action. It assigns fields of the context and replaces nested values without mutating
 * them. XState runs it as an assignment; the driver runs it on the context of the instance.
 */
export type Update<Context> = (
  context: Context,
  event: MachineEvent,
  params: never,
  step: Step,
) => void

/** A named guard: a pure function without side effects. */
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
   * Returns the input of the child that a state invokes. `config` is the static input in the
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
   * Recomputes the context values that derive from the session state, after a fork changed the
   * state.
   */
  refill?(context: Context): void
  /** Set if stopping this machine discards the results of its children. */
  readonly dropsChildren?: true
  /** Returns the pending requests of this machine. */
  pending(context: Context): readonly PendingRequest[]
}

/** Identifies a run and the location of an agent or machine in it. */
export interface RunLocation {
  readonly runId: string
  /** Path in the run, iterations and tool calls included. */
  readonly path: string
  readonly branch: string | null
}
