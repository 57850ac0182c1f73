import type { LeafSource } from "../../machines/registry/machine-registry.js"
import type { MachineEvent, Step } from "../../machines/contract/machine-kind.js"
import type { CompiledMachine } from "./compiled-machine.js"
import type { Children } from "./children.js"
import type { CachedState } from "./transition-cache.js"

/** One running machine of a run. */
export interface Instance {
  readonly machine: CompiledMachine
  readonly parent: Instance | null
  /** The id under which its parent started it. */
  readonly id: string
  /** Where it stands. */
  at: CachedState
  readonly context: object
  /** What its updates are given, once one has run. */
  step: Step | null
  readonly children: Children<Child>
  alive: boolean
  /** Whether it is in the middle of an event; what comes meanwhile waits in its mailbox, as with an XState actor. */
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
  /** The static input of the state that invokes it; null for what an update started. */
  readonly invoked: Readonly<Record<string, unknown>> | null
  /** Stops the call at its host; null while the run is being replayed and nothing is carried out. */
  stop: (() => void) | null
  alive: boolean
}

export type Child = Leaf | Instance

export const isInstance = (child: Child): child is Instance => "machine" in child

/** A done event of a child that was replaced while the event was queued. */
export const isStale = (instance: Instance, event: MachineEvent): boolean =>
  typeof event["actorId"] === "string" && instance.children.has(event["actorId"])

/** The order in which machines are stopped; what runs inside a tool call is dropped with the call. */
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
