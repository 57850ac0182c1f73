import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartState, FailurePolicy, ForEach } from "../../machines/contract/chart-machine.js"
import { readCondition } from "../conditions/read-condition.js"
import { countOf } from "../conditions/count-of.js"
import type { Setting } from "./setting.js"
import { largestCounter, NotAnalyzed } from "./setting.js"

/**
 * The settings of a parallel block that runs its agent once for each item of a list (`forEach`).
 * They determine how many of its branches the model checker explores. All branches are copies of
 * the same branch.
 */
interface CopiedBlock {
  readonly forEach: Pick<ForEach, "items" | "maxItems">
  readonly failurePolicy: FailurePolicy
}

/**
 * Returns how many branches of a `forEach` block the model checker explores. `distinguished` is the
 * number of branches that a violation can require, for example 3 if at most 2 calls are allowed.
 * One or two branches are added, because they can end the block. More branches are not needed to
 * find a violation.
 */
export function branchCopies(
  { forEach: { maxItems }, failurePolicy }: CopiedBlock,
  { dialect }: Pick<AgentChart, "dialect">,
  distinguished: number,
): number {
  // A block can fail, and end the loops around it because another branch escalated (adk).
  const endings = dialect === "adk" && failurePolicy === "wait-all" ? 2 : 1
  return Math.min(maxItems, Math.min(distinguished, largestCounter) + endings)
}

/**
 * Returns whether a chart has a `forEach` block with more branches than the model checker explores.
 * The model calls of the unexplored branches are not counted. `distinguished` has the same meaning
 * as in `branchCopies`.
 */
export function leavesOutBranches(chart: AgentChart, distinguished: number): boolean {
  const leavesOut = ({ invoke, states = {} }: ChartState): boolean => {
    // The machine `fan` expects its input in this shape.
    const { forEach, failurePolicy = "fail-fast" } = (invoke?.input ?? {}) as Partial<CopiedBlock>
    return (
      (forEach !== undefined &&
        branchCopies({ forEach, failurePolicy }, chart, distinguished) < mostItems(forEach)) ||
      Object.values(states).some(leavesOut)
    )
  }
  return Object.values(chart.machines).some(({ states }) => Object.values(states).some(leavesOut))
}

/** Returns the largest number of branches that a `forEach` block can start. */
function mostItems({ items, maxItems }: Pick<ForEach, "items" | "maxItems">): number {
  if (readCondition(items)?.constant !== true) return maxItems
  const count = countOf(items, {})
  // A block with more items than its maximum starts no branch.
  return count === null || count > maxItems ? 0 : count
}

/**
 * Returns the session state keys that `forEach` blocks set in each of their branches, for example
 * `city` and `city_index`.
 */
export function itemKeys({ machines }: AgentChart): ReadonlySet<string> {
  const keys = new Set<string>()
  const visit = ({ invoke, states = {} }: ChartState): void => {
    // The machine `fan` expects its input in this shape.
    const { forEach } = (invoke?.input ?? {}) as { readonly forEach?: ForEach }
    if (forEach !== undefined) keys.add(forEach.as).add(`${forEach.as}_index`)
    Object.values(states).forEach(visit)
  }
  for (const { states } of Object.values(machines)) Object.values(states).forEach(visit)
  return keys
}

/**
 * Throws `NotAnalyzed` if a violation can require more branches of a `forEach` block than the model
 * checker can explore. For example, the policy allows at most 20 calls, and the block has up to 30
 * items.
 */
export function checkCopies(
  agent: string,
  { maxItems }: ForEach,
  isSilent: boolean,
  { branchesToDistinguish: distinguished }: Setting,
): void {
  if (!isSilent && distinguished > largestCounter && maxItems > largestCounter)
    throw new NotAnalyzed(`more than ${largestCounter} items of "${agent}" for this policy`)
}
