import type { FlowState, FlowStep } from "./flow-state.js"
import { firstOf, union } from "./flow-state.js"
import type { Left } from "./flow-turn.js"

/** Returns the data after each step of an element, because it can end after each of them. */
export const earlyOf = ({ state, early }: Left): FlowState =>
  early === undefined ? state : union(state, early)

/** Returns what an element leaves behind if it can end after each of its steps. */
export const withEarly = (left: Left): Left => ({ ...left, state: earlyOf(left) })

/** Returns what parallel branches leave behind. */
export const joined = (branches: readonly Left[], before: FlowState): Left => ({
  state: branches.reduce((all, one) => union(all, one.state), before),
  text: branches.reduce<FlowStep | null>((text, one) => firstOf(text, one.text), null),
})
