import { AgentStatechartsError } from "../../errors.js"
import type { Step } from "../contract/machine-kind.js"
import type { TurnOutput } from "../contract/turn.js"
import type { FanContext } from "./fan-context.js"
import { branchAt, branchCount, branchName, fanLocation, resultsInOrder } from "./fan-context.js"
import { conditionState, stateOfBranch } from "./for-each.js"

/**
 * Returns whether an ended branch counts as a success for the `completion` of its parallel block.
 * Branches that were skipped, failed, reached a limit or were stopped do not count.
 */
export const isSuccess = ({ signal, skipped }: TurnOutput): boolean =>
  skipped !== true && signal !== "failed" && signal !== "limited" && signal !== "stopped"

/**
 * Returns whether a parallel block can no longer reach its quorum, even if all open branches
 * succeed.
 */
export function isOutOfReach(context: FanContext): boolean {
  const { quorum } = context.input.fan
  if (quorum === undefined) return false
  const open = branchCount(context) - context.finished
  return context.successes + open < quorum
}

/**
 * Returns whether a parallel block has missed its quorum. Called when the block has no open
 * branches. A block whose branches were all skipped has not missed it
 * (docs/semantics.md#early-completion).
 */
export const missesCompletion = ({ input, successes, failures }: FanContext): boolean =>
  input.fan.quorum !== undefined && successes < input.fan.quorum && successes + failures > 0

/**
 * Returns whether a parallel block skips all of its branches. This is the case if all ended
 * branches were skipped, and the `when` conditions of all open branches are false. Such a block is
 * complete although it does not reach its quorum.
 */
export function skipsOpenBranches(context: FanContext, step: Step): boolean {
  if (context.skipsAll) return true
  if (context.successes + context.failures > 0) return false
  const ended = new Set(resultsInOrder(context).map(({ index }) => index))
  for (let index = 0; index < branchCount(context); index++)
    if (!ended.has(index) && !isSkipped(context, index, step)) return false
  context.skipsAll = true
  return true
}

function isSkipped(context: FanContext, index: number, step: Step): boolean {
  const { when } = branchAt(context, index)
  if (when === undefined) return false
  const state = conditionState(stateOfBranch(context, index), context.input.iteration, step)
  try {
    return !step.condition(when).evaluate(state, step.conditionSteps).truthy
  } catch (cause) {
    if (!(cause instanceof AgentStatechartsError)) throw cause
    const isLimit = "limit" in cause && cause.limit === true
    return step.chart.settings.onConditionError === "continue" && !isLimit
  }
}

/**
 * Sets the error of a parallel block that does not reach its quorum. The message names every failed
 * branch.
 */
export function failCompletion(context: FanContext): void {
  const { agent, fan } = context.input
  const failed = resultsInOrder(context).flatMap(({ index, output: { signal, error } }) =>
    signal === "failed" && error !== null
      ? [`branch "${failedBranchLabel(context, index)}": ${error.message}`]
      : [],
  )
  const count = branchCount(context)
  context.error = {
    code: "completion_unreachable",
    agent,
    message: [
      `agent "${agent}": the completion, a quorum of ${fan.quorum ?? count}, cannot be reached: ${context.successes} of ${count} branches succeeded`,
      ...failed,
    ].join("; "),
  }
}

/**
 * Returns the name of a branch for error messages that list several branches. It is the id of the
 * agent or, with `forEach`, the name of the branch, such as `summaries.2`.
 */
export const failedBranchLabel = (context: FanContext, index: number): string =>
  context.input.fan.forEach === undefined
    ? branchAt(context, index).agent
    : branchName(context, index)

/**
 * Emits the event `parallel.settled` if a parallel block has reached its `completion` before all of
 * its branches have ended.
 */
export function reportSettled(context: FanContext, step: Step): void {
  const count = branchCount(context)
  if (context.finished === count) return
  const ended = new Set(resultsInOrder(context).map(({ index }) => index))
  const cancelled = Array.from({ length: count }, (_, index) => index)
    .filter((index) => !ended.has(index))
    .map((index) => branchName(context, index))
  step.emit({
    type: "parallel.settled",
    successes: context.successes,
    failures: context.failures,
    cancelled,
    ...fanLocation(context.input),
  })
}
