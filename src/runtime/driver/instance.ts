import type { LeafSource } from "../../machines/registry/machine-registry.js"
import type { Step } from "../../machines/contract/machine-kind.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { CompiledMachine } from "./compiled-machine.js"
import { Children } from "./children.js"
import type { CachedState } from "./transition-cache.js"

/** A running instance of a machine. */
export interface Instance {
  readonly machine: CompiledMachine
  readonly parent: Instance | null
  /** The id of the machine among the children of its parent. */
  readonly id: string
  state: CachedState
  readonly context: object
  /** The functions for its updates; null before the first update. */
  step: Step | null
  readonly children: Children<Child>
  alive: boolean
  /**
   * Whether it is processing an event. New events then wait in `mailbox`, as in an XState actor.
   */
  busy: boolean
  mailbox: MachineEvent[] | null
}

/** A leaf call that is in flight. */
export interface Leaf {
  readonly n: number
  readonly parent: Instance
  readonly id: string
  readonly src: LeafSource
  input: unknown
  /** The static input of the state that invokes the call; null if an update started it. */
  readonly invoked: Readonly<Record<string, unknown>> | null
  /** Stops the call at its host; null during a replay, when no call is made. */
  stop: (() => void) | null
  alive: boolean
}

export type Child = Leaf | Instance

/** Creates an instance that is busy with its first macrostep. */
export const createInstance = (
  machine: CompiledMachine,
  parent: Instance | null,
  id: string,
  input: unknown,
): Instance => ({
  machine,
  parent,
  id,
  // The first macrostep sets the state.
  state: undefined as never,
  context: machine.program.kind.contextFrom(input, machine.program.lookup.chart),
  step: null,
  children: new Children<Child>(),
  alive: true,
  busy: true,
  mailbox: null,
})

export const isInstance = (child: Child): child is Instance => "machine" in child

/** Whether this is the done event of a child that was replaced while the event was queued. */
export const isStale = (instance: Instance, event: MachineEvent): boolean =>
  typeof event["actorId"] === "string" && instance.children.has(event["actorId"])

/** Returns the instances in stop order. Machines inside a tool call end with the call. */
export function innermostFirst(root: Instance): readonly Instance[] {
  const order: Instance[] = []
  const visit = (instance: Instance): void => {
    if (instance.machine.program.kind.dropsChildren !== true) {
      for (const child of instance.children.all()) if (isInstance(child)) visit(child)
    }
    order.push(instance)
  }
  visit(root)
  return order
}
