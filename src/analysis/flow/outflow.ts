import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { FlowRule } from "./flow-rule.js"
import type { FlowState, FlowStep } from "./flow-state.js"
import { firstOf, union, withKey } from "./flow-state.js"
import type { Outflow } from "./flow-turn.js"

/**
 * Returns the combined data after all steps of an element, because it may end after any of them.
 */
export const earlyState = ({ state, early }: Outflow): FlowState =>
  early === undefined ? state : union(state, early)

/** Extends the data that an element leaves behind by the case that the element ends early. */
export const withEarlyState = (output: Outflow): Outflow => ({
  ...output,
  state: earlyState(output),
})

/** Combines the data that parallel branches leave behind with the data from before their block. */
export const joinOutputs = (branches: readonly Outflow[], before: FlowState): Outflow => ({
  state: branches.reduce((all, one) => union(all, one.state), before),
  text: branches.reduce<FlowStep | null>((text, one) => firstOf(text, one.text), null),
})

/** Handles the end of a container: its output key receives the text of its last agent. */
export function saveOutput({ meta }: ChartState, output: Outflow, rule: FlowRule): Outflow {
  const key = meta?.outputKey
  if (key === undefined || meta?.team === true) return output
  rule.reach("key", key, output.text)
  return { ...output, state: withKey(output.state, key, output.text) }
}
