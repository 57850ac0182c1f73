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
 * Data that `toMachine` attaches to the XState machine that it returns: the chart, its services,
 * and the data of each run. The data of the runs is stored in weak maps with the root actor of the
 * run as the key.
 */
export interface MachineBinding {
  readonly program: ChartProgram
  readonly clock: Clock
  readonly calls: CallServices
  readonly host: HostFunctionRunner
  /**
   * Starts the child runs of workflows that the chart calls, and keeps them in memory until they
   * end.
   */
  readonly children: ChildCaller
  /**
   * Maps each XState machine to the chart machine from which it was created. Contains the machines
   * of workflows inside graph nodes too.
   */
  readonly machines: ReadonlyMap<AnyActorLogic, MachineProgram>
  /**
   * Token usage and number of failed tool calls of each run. The key is the root actor of the run.
   */
  readonly tallies: WeakMap<ActorWithParent, RunTally>
  readonly meters: WeakMap<ActorWithParent, ModelCallMeters<ActorWithParent>>
  /** Policies that apply to every run of the machine, or null if no policies are configured. */
  readonly policies: RunPolicySets | null
  readonly gates: WeakMap<ActorWithParent, PolicyGate>
  readonly controls: WeakMap<ActorWithParent, ActorControls>
  /**
   * For each run, the function that emits an event to the listeners that were added with
   * `actor.on`. The key is the root actor of the run.
   */
  readonly emitters: WeakMap<ActorWithParent, (event: EmittedEvent | MessageRefused) => void>
  /**
   * Root actors whose end `releaseAtEnd` already observes, so that it does not observe the same run
   * twice.
   */
  readonly released: WeakSet<ActorWithParent>
}

/**
 * The controls of one run. `stopping` returns the requested final status (`completed` after `end`,
 * `cancelled` after `cancel`), or null if neither method was called.
 */
export interface ActorControls {
  readonly controls: RunControls
  readonly stopping: () => "completed" | "cancelled" | null
}

/**
 * An actor with its parent and its logic. Every XState actor has these fields at run time, but
 * XState declares them only for some types of actor references.
 */
export interface ActorWithParent {
  readonly id: string
  readonly logic?: AnyActorLogic
  readonly system: AnyActorRef["system"]
  readonly _parent?: ActorWithParent | undefined
}

const binding = Symbol("agent-statecharts binding")

interface Embedded {
  readonly [binding]?: MachineBinding
}

/**
 * Attaches a `MachineBinding` (the chart, services and run data) to a machine, so that `bindingOf`
 * can read it later. Returns the same machine.
 */
export function bindMachine(machine: AnyStateMachine, value: MachineBinding): AnyStateMachine {
  return Object.defineProperty(machine, binding, { value })
}

/**
 * Returns the data that `toMachine` has attached to a machine, or null if `toMachine` did not
 * create the machine.
 */
export const bindingOf = (machine: unknown): MachineBinding | null =>
  (machine as Embedded)[binding] ?? null

/**
 * Returns true if an actor is the root actor of a run: it has no parent, or its parent does not
 * execute a machine of the same chart.
 */
export const isRoot = ({ _parent }: ActorWithParent, { machines }: MachineBinding): boolean =>
  _parent?.logic === undefined || !machines.has(_parent.logic)

/** Returns the root actor of the run to which `actor` belongs. */
export function rootOf(actor: ActorWithParent, binding: MachineBinding): ActorWithParent {
  let root = actor
  while (root._parent !== undefined && !isRoot(root, binding)) root = root._parent
  return root
}
