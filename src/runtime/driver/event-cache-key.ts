import type { ChartState, Transitions } from "../../machines/contract/chart-machine.js"
import type { MachineConfig } from "../../machines/registry/machine-definition.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"

const doneEvent = "xstate.done.actor."

/**
 * Returns a function that maps an event to the cache key of its transition. Usually, the key is the
 * event type.
 *
 * The done events of all branches (`branch.0`, `branch.1`, ...) have the same key. A block with a
 * thousand branches therefore caches only one transition. The keys differ only if the chart handles
 * the done event of a single branch, such as `branch.7`.
 */
export function eventCacheKey(config: MachineConfig): (event: MachineEvent) => string {
  if (handlesSingleBranch(config)) return ({ type }) => type
  return ({ type, actorId }) => {
    const dot = typeof actorId === "string" ? actorId.indexOf(".") : -1
    return dot === -1 ? type : (actorId as string).slice(0, dot + 1)
  }
}

type WithEvents = Pick<ChartState, "invoke" | "states"> & {
  readonly on?: Readonly<Record<string, Transitions>>
}

/**
 * Returns true if a state invokes a child whose id contains a dot, such as `branch.7`, or handles
 * the done event of such a child.
 */
function handlesSingleBranch({ invoke, on, states }: WithEvents): boolean {
  if (invoke?.id.includes(".") === true) return true
  for (const type in on)
    if (
      type.startsWith(doneEvent) &&
      type.slice(doneEvent.length).replace(/\.\*$/, "").includes(".")
    )
      return true
  for (const name in states) if (handlesSingleBranch(states[name] as WithEvents)) return true
  return false
}
