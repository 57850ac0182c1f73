import type { ChartMachine, ChartTransition } from "../../machines/contract/chart-machine.js"
import type { TransitionList } from "../../machines/contract/chart-transitions.js"
import { targetPath, transitionLists } from "../../machines/contract/chart-transitions.js"
import { guardLabel } from "./guard-label.js"

/** One transition of a machine. Paths are state keys from the machine's root, joined by dots. */
export interface MachineEdge {
  readonly from: string
  readonly to: string
  readonly label: string | null
  /** Whether it leads out of the ordinary: to a final state for an exit, an escalation, a failure, a limit. */
  readonly ending: Ending | null
}

export type Ending = (typeof endings)[number]

const endings = ["exited", "escalated", "failed", "limited", "stopped"] as const

/** Where a final state's key says that it is no ordinary end. */
export const endingOf = (path: string): Ending | null =>
  endings.find((ending) => ending === path.slice(path.lastIndexOf(".") + 1)) ?? null

/** All transitions of a machine that lead somewhere. `isUsed` says which guards can hold in this chart at all. */
export function machineEdges(
  machine: ChartMachine,
  isUsed: (transition: ChartTransition) => boolean,
): readonly MachineEdge[] {
  return transitionLists(machine).flatMap((list) =>
    list.cause === "event" && (list.event !== "user.said" || list.from === "")
      ? []
      : edgesOf(list, machine, isUsed),
  )
}

function edgesOf(
  { from, cause, transitions }: TransitionList,
  machine: ChartMachine,
  isUsed: (transition: ChartTransition) => boolean,
): readonly MachineEdge[] {
  const isChoice = cause === "always" || cause === "inside"
  const used = transitions.filter(
    (transition) => transition.target !== undefined && isUsed(transition),
  )
  const ordinary = used.filter(({ target = "" }) => endingOf(target) === null)
  return used.map((transition) => {
    const to = targetPath(machine, transition) ?? ""
    const ending = endingOf(to) ?? (isCaught(transition) ? "failed" : null)
    const label = guardLabel(transition, isChoice && ordinary.length > 1)
    return { from, to, ending, label: label === null && ending === "failed" ? "fails" : label }
  })
}

/** A failure that host code is told of. */
const isCaught = ({ actions = [] }: ChartTransition): boolean =>
  actions.some(({ type }) => type === "recordFailure")

/** The innermost state that holds both ends, `""` for the machine itself. */
export function levelOf({ from, to }: MachineEdge): string {
  const one = from.split(".")
  const other = to.split(".")
  let shared = 0
  while (shared < one.length - 1 && shared < other.length - 1 && one[shared] === other[shared])
    shared++
  return one.slice(0, shared).join(".")
}

/** The state directly in `level` that a state lies in, or is. */
export function liftTo(level: string, path: string): string {
  const start = level === "" ? 0 : level.length + 1
  const end = path.indexOf(".", start)
  return end === -1 ? path : path.slice(0, end)
}
