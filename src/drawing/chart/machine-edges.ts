import type { ChartMachine, ChartTransition } from "../../machines/contract/chart-machine.js"
import type { TransitionList } from "../../machines/contract/chart-transitions.js"
import { targetPath, transitionLists } from "../../machines/contract/chart-transitions.js"
import type { StateLook } from "../picture/picture.js"
import { guardLabel } from "./guard-label.js"
import { statechartLabel } from "./statechart-labels.js"

/**
 * A transition to a target state. `from` and `to` are state paths, in which dots separate the keys
 * of nested states, for example `team.desk`.
 */
export interface MachineEdge {
  readonly from: string
  readonly to: string
  readonly label: string | null
  /**
   * How the transition ends the machine early, for example `failed`. Null if the machine continues
   * or ends normally.
   */
  readonly ending: Ending | null
}

export type Ending = (typeof endings)[number]

const endings = ["exited", "escalated", "failed", "limited", "stopped"] as const

/**
 * Returns how the final state at `path` ends the machine early, for example `failed`. Returns null
 * for all other states.
 */
export const endingOf = (path: string): Ending | null =>
  endings.find((ending) => ending === path.slice(path.lastIndexOf(".") + 1)) ?? null

/**
 * Returns the appearance of a final state that ends its machine early. `key` is the key of the
 * state, for example `escalated`.
 */
export const lookOfEnding = (key: string): StateLook => {
  const ending = endingOf(key)
  return ending === "exited" || ending === "escalated"
    ? "exit"
    : ending === "limited"
      ? "limit"
      : "ending"
}

/**
 * Returns all transitions between the states of a machine. Their labels have the statechart
 * notation `event [guard] / actions`.
 */
export const statechartEdges = (machine: ChartMachine): readonly MachineEdge[] =>
  transitionLists(machine).flatMap((list) =>
    list.from === ""
      ? []
      : list.transitions.flatMap((transition): readonly MachineEdge[] => {
          const to = targetPath(machine, transition)
          if (to === null) return []
          const { from } = list
          return [{ from, to, label: statechartLabel(list, transition), ending: endingOf(to) }]
        }),
  )

/**
 * Returns the transitions of a machine that have a target and are selected by the predicate
 * `isUsed`. The labels describe the guards of the transitions in words.
 */
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

/**
 * Returns whether a transition has the action `recordFailure`. This action passes the failure of an
 * agent to a host function, so the failure does not end the machine.
 */
const isCaught = ({ actions = [] }: ChartTransition): boolean =>
  actions.some(({ type }) => type === "recordFailure")

/**
 * Returns the path of the innermost state that contains both the source and the target of a
 * transition. Returns `""` if only the machine itself contains both.
 */
export function levelOf({ from, to }: MachineEdge): string {
  const one = from.split(".")
  const other = to.split(".")
  let shared = 0
  while (shared < one.length - 1 && shared < other.length - 1 && one[shared] === other[shared])
    shared++
  return one.slice(0, shared).join(".")
}

/**
 * Returns the path of the direct child of the state `level` that is or contains the state `path`.
 * For example, for the level `team` and the path `team.desk.waiting`, the result is `team.desk`.
 */
export function liftTo(level: string, path: string): string {
  const start = level === "" ? 0 : level.length + 1
  const end = path.indexOf(".", start)
  return end === -1 ? path : path.slice(0, end)
}
