import type { FlowState, FlowStep } from "./flow-state.js"
import { firstOf, union } from "./flow-state.js"
import type { Left } from "./flow-turn.js"

/**
 * Returns the combined data after all steps of an element, because it may end after any of them.
 */
export const earlyOf = ({ state, early }: Left): FlowState =>
  early === undefined ? state : union(state, early)

/** Extends the data that an element leaves behind by the case that the element ends early. */
export const withEarly = (left: Left): Left => ({ ...left, state: earlyOf(left) })

/** Combines the data that parallel branches leave behind with the data from before their block. */
export const joined = (branches: readonly Left[], before: FlowState): Left => ({
  state: branches.reduce((all, one) => union(all, one.state), before),
  text: branches.reduce<FlowStep | null>((text, one) => firstOf(text, one.text), null),
})
