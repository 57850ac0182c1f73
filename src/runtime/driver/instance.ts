import type { LeafSource } from "../../machines/registry/leaf-sources.js"
import type { Step } from "../../machines/contract/machine-kind.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { CompiledMachine } from "./compiled-machine.js"
import { SmallMap } from "./small-map.js"
import type { CachedState } from "./transition-cache.js"

/**
 * A running instance of one of the chart's machines. The machine instances of a run form a tree.
 */
export interface Instance {
  readonly machine: CompiledMachine
  readonly parent: Instance | null
  /** Id of the instance. It is unique among the children of its parent. */
  readonly id: string
  state: CachedState
  readonly context: object
  /**
   * The object through which this instance's actions update the context and emit events. null until
   * the first action runs.
   */
  step: Step | null
  /** Child machines and leaf calls of this instance, by id. */
  readonly children: SmallMap<string, Child>
  isAlive: boolean
  /**
   * Whether the instance is processing an event. Further events then wait in `mailbox`, as in an
   * XState actor.
   */
  isBusy: boolean
  mailbox: MachineEvent[] | null
}

/** A leaf call that has started and has no result yet. */
export interface Leaf {
  readonly n: number
  readonly parent: Instance
  readonly id: string
  readonly src: LeafSource
  input: unknown
  /**
   * Input that the `invoke` of the chart defines for the call; null if an action of the machine
   * starts the call.
   */
  readonly invoked: Readonly<Record<string, unknown>> | null
  /** Stops the call. It is null during a replay, because no call is started then. */
  stop: (() => void) | null
  isAlive: boolean
}

export type Child = Leaf | Instance

/** Creates an instance of a machine. The instance is busy until its first macrostep has ended. */
export const createInstance = (
  machine: CompiledMachine,
  parent: Instance | null,
  id: string,
  input: unknown,
): Instance => ({
  machine,
  parent,
  id,
  // The first macrostep sets the state before anything reads it.
  state: undefined as never,
  context: machine.program.kind.contextFrom(input, machine.program.lookup.chart),
  step: null,
  children: new SmallMap<string, Child>(),
  isAlive: true,
  isBusy: true,
  mailbox: null,
})

export const isInstance = (child: Child): child is Instance => "machine" in child

/**
 * Returns whether an event is an outdated done event: while it was in the mailbox, a new child with
 * the same id replaced the child that had ended.
 */
export const isStale = (instance: Instance, event: MachineEvent): boolean =>
  typeof event["actorId"] === "string" && instance.children.has(event["actorId"])

/**
 * Returns `root` and all machine instances below it, children before parents. Machines inside a
 * tool call are omitted, because they end with the call.
 */
export function innermostFirst(root: Instance): readonly Instance[] {
  const order: Instance[] = []
  const visit = (instance: Instance): void => {
    if (instance.machine.program.kind.dropsChildren !== true) {
      for (const child of instance.children.values()) if (isInstance(child)) visit(child)
    }
    order.push(instance)
  }
  visit(root)
  return order
}

/**
 * Returns the root machine of the workflow to which a machine belongs: the workflow of the run, or
 * the workflow of a graph node.
 */
export function scopeRoot(instance: Instance): Instance {
  const { scope } = instance.machine.program
  let root = instance
  while (root.parent !== null && root.parent.machine.program.scope === scope) root = root.parent
  return root
}
