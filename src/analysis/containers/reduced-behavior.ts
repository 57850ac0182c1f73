import type { Behavior, Control, Move } from "../behavior/behavior.js"
import type { Setting } from "../behavior/setting.js"
import { moveOf } from "./block-step.js"
import type { BranchEdge } from "./branch.js"
import { reduceBranch, withRunningState } from "./branch.js"

interface ReducedControl extends Control {
  readonly state: number
}

/**
 * Returns a transition system that contains only the steps of `whole` that are relevant to the
 * policy. Used for actors that can run several times in parallel, because it has fewer states.
 */
export function reducedBehavior(
  whole: Behavior,
  setting: Setting,
  countsWaiting: boolean,
): Behavior<ReducedControl> {
  const { starts, edges, pauses, waits, classes } = withRunningState(
    reduceBranch(whole, setting, countsWaiting),
  )
  const stepOf = ({ effects, to, end, records, descriptions }: BranchEdge): Move<ReducedControl> =>
    moveOf({
      effects,
      next: to === null ? null : { key: String(classes[to] ?? to), state: to },
      end,
      records,
      descriptions,
    })
  return {
    start: () => starts.map(stepOf),
    moves: ({ state }) => [...(edges[state] ?? []), ...(pauses[state] ?? [])].map(stepOf),
    waits: ({ state }) => waits[state] === true,
  }
}
