import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { FlowRule } from "./flow-rule.js"
import type { FlowState, FlowStep } from "./flow-state.js"
import { firstOf, union, withKey } from "./flow-state.js"
import type { Outflow } from "./flow-turn.js"

/**
 * Returns the tainted data (data from a source of the policy) that an agent or container may leave
 * in the session state, whether it ends normally or early.
 */
export const earlyState = ({ state, early }: Outflow): FlowState =>
  early === undefined ? state : union(state, early)

/**
 * Returns the output of an agent or container. Its `state` also contains the tainted data (data
 * from a source of the policy) that an early end would leave behind.
 */
export const withEarlyState = (output: Outflow): Outflow => ({
  ...output,
  state: earlyState(output),
})

/**
 * Combines the tainted data (data from a source of the policy) of all branches of a parallel block
 * with the tainted data from before the block.
 */
export const joinOutputs = (branches: readonly Outflow[], before: FlowState): Outflow => ({
  state: branches.reduce((all, one) => union(all, one.state), before),
  text: branches.reduce<FlowStep | null>((text, one) => firstOf(text, one.text), null),
})

/**
 * Returns the output of a container after the text of its last agent was stored under the
 * container's output key.
 */
export function saveOutput({ meta }: ChartState, output: Outflow, rule: FlowRule): Outflow {
  const key = meta?.outputKey
  if (key === undefined || meta?.team === true) return output
  rule.reach("key", key, output.text)
  return { ...output, state: withKey(output.state, key, output.text) }
}
