import type { CompiledCondition, SharedSteps } from "../../expression/index.js"
import type { AgentChart, PlaceMeta } from "./agent-chart.js"
import type { JsonObject } from "../data/json-object.js"
import type { PendingRequest } from "./pending-request.js"
import type { Announcement } from "./run-event.js"

/** An event as machines see it. */
export interface MachineEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** An output as it stands in the context of the machine that is making it. */
export type Writable<Output> = { -readonly [Field in keyof Output]: Output[Field] }

/** What updates and guards may look up of the chart they run in. */
export interface Lookup {
  readonly chart: AgentChart
  /** Who stands at a place of this machine. */
  metaOf(place: string): PlaceMeta
  /** A condition of the chart; throws `ConditionRefused` for one that does not compile. */
  condition(source: string): CompiledCondition
  /** Checks a value against a JSON schema: what is wrong with it, null when nothing is. */
  validate(schema: JsonObject, value: unknown): string | null
}

/**
 * What an update may cause besides changing its context. The interpreter carries it out after the macrostep; an update
 * itself knows no clock, no randomness and no I/O.
 */
export interface Step extends Lookup {
  emit(event: Announcement): void
  /** Starts a child actor. A child that runs under this id is replaced. */
  start(id: string, src: string, input: unknown): void
  stop(id: string): void
  sendParent(event: MachineEvent): void
  /** What the conditions of this decision may still cost: of everything that one event or result sets off. */
  readonly conditionSteps: SharedSteps
}

/**
 * A named action: changes the context it is given, replacing nested values and never mutating them. The same function
 * runs as an assignment in `createActor` and on the instance's own context in the driver.
 */
export type Update<Context> = (
  context: Context,
  event: MachineEvent,
  params: never,
  step: Step,
) => void

/** A named guard: a pure question. */
export type Guard<Context> = (
  context: Context,
  event: MachineEvent,
  params: never,
  lookup: Lookup,
) => boolean

/** What turns a machine config, which is JSON, into a machine: the functions behind its names. */
export interface MachineKind<Context, Input, Output> {
  contextFrom(input: Input, chart: AgentChart): Context
  readonly updates: Readonly<Record<string, Update<Context>>>
  readonly guards: Readonly<Record<string, Guard<Context>>>
  /** Input of the child that a state invokes; `config` is the static input of the chart. */
  childInput(
    context: Context,
    src: string,
    config: Readonly<Record<string, unknown>>,
    lookup: Lookup,
  ): unknown
  output(context: Context): Output
  /** Makes anew what the context has made from the session state, which a fork has changed. */
  refill?(context: Context): void
  /** Set where a stop drops what runs inside instead of keeping what it has finished: a tool call ends with its agent. */
  readonly dropsChildren?: true
  /** What this machine waits for, as its context stands. */
  pending(context: Context): readonly PendingRequest[]
}

/** Who a run is, and where in it an agent or machine stands. */
export interface RunLocation {
  readonly runId: string
  /** Path in the run, iterations and tool calls included. */
  readonly path: string
  readonly branch: string | null
}
