import type { ChartState, Transitions } from "../../machines/contract/agent-chart.js"
import type { MachineConfig } from "../../machines/registry/machine-registry.js"
import type { MachineEvent } from "../../machines/contract/machine-kind.js"

const doneEvent = "xstate.done.actor."

/**
 * The key of the way that an event goes in a machine: its type, and for the end of a child that is one of many, as `branch.7` is, what
 * they have in common. So a block of a thousand branches has one way to learn and to keep and not a thousand, as long as its chart makes no
 * difference between them.
 */
export function eventCacheKey(config: MachineConfig): (event: MachineEvent) => string {
  if (namesOneOfMany(config)) return ({ type }) => type
  return ({ type, actorId }) => {
    const dot = typeof actorId === "string" ? actorId.indexOf(".") : -1
    return dot === -1 ? type : (actorId as string).slice(0, dot + 1)
  }
}

type WithEvents = Pick<ChartState, "invoke" | "states"> & {
  readonly on?: Readonly<Record<string, Transitions>>
}

/** Whether somewhere in it one of many is awaited by its own id. */
function namesOneOfMany({ invoke, on, states }: WithEvents): boolean {
  if (invoke?.id.includes(".") === true) return true
  for (const type in on)
    if (
      type.startsWith(doneEvent) &&
      type.slice(doneEvent.length).replace(/\.\*$/, "").includes(".")
    )
      return true
  for (const name in states) if (namesOneOfMany(states[name] as WithEvents)) return true
  return false
}
