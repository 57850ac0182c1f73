import type { ChartState } from "../../machines/contract/chart-machine.js"
import type { FlowRule } from "./flow-rule.js"
import type { FlowState, FlowStep } from "./flow-state.js"
import { firstOf, union, withKey } from "./flow-state.js"
import type { Outflow } from "./flow-turn.js"

/**
 * Returns the tainted data in the session state after an agent or container has ended, either
 * normally or early. Tainted data is data from a source of the policy.
 */
export const earlyState = ({ state, early }: Outflow): FlowState =>
  early === undefined ? state : union(state, early)

/**
 * Returns the output of an agent or container, with the tainted data after an early end added to
 * its `state`. Tainted data is data from a source of the policy.
 */
export const withEarlyState = (output: Outflow): Outflow => ({
  ...output,
  state: earlyState(output),
})

/**
 * Combines the tainted data of all branches of a parallel block, and the tainted data that existed
 * before the block. Tainted data is data from a source of the policy.
 */
export const joinOutputs = (branches: readonly Outflow[], before: FlowState): Outflow => ({
  state: branches.reduce((all, one) => union(all, one.state), before),
  text: branches.reduce<FlowStep | null>((text, one) => firstOf(text, one.text), null),
})

/**
 * Stores the text of a container's last agent under the container's output key. Returns the output
 * of the container, in which the key contains the tainted data of the text.
 */
export function saveOutput({ meta }: ChartState, output: Outflow, rule: FlowRule): Outflow {
  const key = meta?.outputKey
  if (key === undefined || meta?.team === true) return output
  rule.reach("key", key, output.text)
  return { ...output, state: withKey(output.state, key, output.text) }
}
