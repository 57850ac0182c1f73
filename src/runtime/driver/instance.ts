import type { LeafSource } from "../../machines/registry/leaf-sources.js"
import type { Step } from "../../machines/contract/machine-kind.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { CompiledMachine } from "./compiled-machine.js"
import { SmallMap } from "./small-map.js"
import type { CachedState } from "./transition-cache.js"

/**
 * A running instance of a state machine of the chart. The machine instances of a run form a tree.
 */
export interface Instance {
  readonly machine: CompiledMachine
  readonly parent: Instance | null
  /** Id of the instance. It is unique among the children of its parent. */
  readonly id: string
  state: CachedState
  readonly context: object
  /**
   * The operations that the actions of this instance may call, for example to emit events. null
   * until the first action runs.
   */
  step: Step | null
  /** Child machines and external calls (such as model calls) of this instance, by id. */
  readonly children: SmallMap<string, Child>
  isAlive: boolean
  /**
   * True while the instance processes an event. Further events are then added to `mailbox`, as in
   * an XState actor.
   */
  isBusy: boolean
  mailbox: MachineEvent[] | null
}

/** An external call (such as a model call) that has started and has no result yet. */
export interface Leaf {
  readonly n: number
  readonly parent: Instance
  readonly id: string
  readonly src: LeafSource
  input: unknown
  /**
   * The `input` of the state's `invoke` that starts the call. null if an action starts the call
   * without `invoke`.
   */
  readonly invoked: Readonly<Record<string, unknown>> | null
  /** Function that stops the call. null during a replay, because a replay does not start calls. */
  stop: (() => void) | null
  isAlive: boolean
}

export type Child = Leaf | Instance

/**
 * Creates an instance of a state machine. The instance is busy until its first macrostep, which
 * enters the initial state, has ended.
 */
export const createInstance = (
  machine: CompiledMachine,
  parent: Instance | null,
  id: string,
  input: unknown,
): Instance => ({
  machine,
  parent,
  id,
  // The first macrostep sets the state before any code reads it.
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
 * Returns true if `event` is an outdated done event. This is the case if a new child with the same
 * id was started while the done event of the previous child was in the mailbox.
 */
export const isStale = (instance: Instance, event: MachineEvent): boolean =>
  typeof event["actorId"] === "string" && instance.children.has(event["actorId"])

/**
 * Returns `root` and all machine instances below it, children before parents. Omits the machines
 * that run inside a tool call, because they end together with the call.
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
 * Returns the root machine of the workflow to which a machine instance belongs. This is the
 * workflow of the run, or a workflow inside a graph node.
 */
export function scopeRoot(instance: Instance): Instance {
  const { scope } = instance.machine.program
  let root = instance
  while (root.parent !== null && root.parent.machine.program.scope === scope) root = root.parent
  return root
}
