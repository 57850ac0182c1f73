import type { ChartState, Transitions } from "../../machines/contract/chart-machine.js"
import type { MachineConfig } from "../../machines/registry/machine-definition.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"

const doneEvent = "xstate.done.actor."

/**
 * Returns a function that maps an event to the key under which its transition is cached. The key is
 * usually the type of the event. The done events of `branch.0`, `branch.1` and so on have the same
 * key, so a block with a thousand branches caches only one transition. They have separate keys if
 * the chart handles the done event of a single branch.
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
 * Returns whether a state invokes a child with an id such as `branch.7`, or handles its done event.
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
