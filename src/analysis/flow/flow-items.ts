import type { ForEach } from "../../machines/contract/chart-machine.js"
import { readCondition } from "../conditions/read-condition.js"
import type { FlowState, FlowStep } from "./flow-state.js"

/**
 * The input of the actor `fan`, which runs the branches of a parallel block. The compiler creates
 * this input.
 */
export interface FlowFanInput {
  readonly branches: readonly { readonly agent: string; readonly src: string }[]
  readonly forEach?: ForEach
}

/**
 * Returns the tainted data (data from a source of the policy) in the items of a `forEach` block.
 * The data comes from the session state keys that the `items` expression reads. Returns null if
 * these keys contain no such data.
 */
export function itemOf({ items }: ForEach, { keys }: FlowState): FlowStep | null {
  const condition = readCondition(items)
  const reads = condition === null || condition.readsOtherKeys ? [...keys.keys()] : condition.reads
  return reads.map((key) => keys.get(key)).find((step) => step !== undefined) ?? null
}
