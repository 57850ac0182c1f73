import type { ForEach } from "../../machines/contract/chart-machine.js"
import { readCondition } from "../conditions/read-condition.js"
import type { FlowState, FlowStep } from "./flow-state.js"

/** The input that the compiler writes for the machine `fan`, which runs parallel branches. */
export interface FlowFanInput {
  readonly branches: readonly { readonly agent: string; readonly src: string }[]
  readonly forEach?: ForEach
}

/**
 * Returns the data from sources in the items of a `forEach` block, which comes from the keys that
 * the `items` expression reads. null: none.
 */
export function itemOf({ items }: ForEach, { keys }: FlowState): FlowStep | null {
  const condition = readCondition(items)
  const reads = condition === null || condition.readsOtherKeys ? [...keys.keys()] : condition.reads
  return reads.map((key) => keys.get(key)).find((step) => step !== undefined) ?? null
}
