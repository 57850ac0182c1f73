import type { AnyActorLogic, AnyActorRef, AnyStateMachine } from "xstate"
import type { RunTally } from "../driver/outcome.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { Clock } from "../driver/host.js"
import type { HostFunctionRunner } from "../host/host-function-runner.js"
import type { CallServices, ChildCaller } from "../host/call-services.js"
import type { ModelCallMeters } from "../driver/model-call-meters.js"
import type { ChartProgram, MachineProgram } from "../program/program.js"
import type { PolicyGate } from "../policies/policy-gate.js"
import type { RunPolicySets } from "../policies/run-policy-sets.js"
import type { RunControls } from "../run/run-controls.js"
import type { MessageRefused } from "./run-machine.js"

/**
 * The data that `toMachine` attaches to a machine: its chart, its services and the data of its
 * runs. The data of each run is stored in weak maps, whose keys are the root actors of the runs.
 */
export interface Embedding {
  readonly program: ChartProgram
  readonly clock: Clock
  readonly calls: CallServices
  readonly host: HostFunctionRunner
  /** Starts the runs of called workflows and keeps them in memory until they end. */
  readonly children: ChildCaller
  /**
   * Programs of the chart's machines, and of the machines in its graph nodes, by XState machine.
   */
  readonly machines: ReadonlyMap<AnyActorLogic, MachineProgram>
  /** Usage and failed tool calls of each run, by the run's root actor. */
  readonly tallies: WeakMap<ActorWithParent, RunTally>
  readonly meters: WeakMap<ActorWithParent, ModelCallMeters<ActorWithParent>>
  /** The policies that apply to every run of the machine; null if there are none. */
  readonly policies: RunPolicySets | null
  readonly gates: WeakMap<ActorWithParent, PolicyGate>
  readonly controls: WeakMap<ActorWithParent, ActorControls>
  /** For each root actor, the function that emits an event to the actor's listeners. */
  readonly emitters: WeakMap<ActorWithParent, (event: EmittedEvent | MessageRefused) => void>
  /** Root actors that `releaseAtEnd` already observes, so that it observes each run only once. */
  readonly released: WeakSet<ActorWithParent>
}

/**
 * The controls of a run. `stopping` returns the final status that `end` or `cancel` requested, or
 * null if neither was called.
 */
export interface ActorControls {
  readonly controls: RunControls
  readonly stopping: () => "completed" | "cancelled" | null
}

/**
 * An actor with its parent and its logic. XState has these fields on every actor, but declares them
 * only for some types of actor references.
 */
export interface ActorWithParent {
  readonly id: string
  readonly logic?: AnyActorLogic
  readonly system: AnyActorRef["system"]
  readonly _parent?: ActorWithParent | undefined
}

const embedding = Symbol("agent-statecharts embedding")

interface Embedded {
  readonly [embedding]?: Embedding
}

/** Attaches an `Embedding` to a machine and returns the machine. */
export function embed(machine: AnyStateMachine, value: Embedding): AnyStateMachine {
  return Object.defineProperty(machine, embedding, { value })
}

/** Returns the `Embedding` of a machine, or null if `toMachine` did not create the machine. */
export const embeddingOf = (machine: unknown): Embedding | null =>
  (machine as Embedded)[embedding] ?? null

/**
 * Returns whether an actor is the root of a run: it has no parent, or its parent is not a machine
 * of the same chart.
 */
export const isRoot = ({ _parent }: ActorWithParent, { machines }: Embedding): boolean =>
  _parent?.logic === undefined || !machines.has(_parent.logic)

/** Returns the actor at the root of the run that contains an actor. */
export function rootOf(actor: ActorWithParent, embedding: Embedding): ActorWithParent {
  let root = actor
  while (root._parent !== undefined && !isRoot(root, embedding)) root = root._parent
  return root
}
