import type { Step } from "../contract/machine-kind.js"
import type { StatePatch } from "../data/session-state.js"
import { isSuccess } from "./completion.js"
import type { BranchResult, FanContext } from "./fan-context.js"
import { branchAt, branchCount, branchName, fanLocation, resultsInOrder } from "./fan-context.js"
import { collectLists, leavingWrites } from "./for-each.js"
import { mergeError, mergeJoining, textOfBlock } from "./join.js"
import type { JoiningBranch } from "./merge-branches.js"

/**
 * Merges the state changes of the finished branches into the state of the parallel block, in
 * declaration order. Discards the changes of all other branches.
 */
export function joinFan(context: FanContext, step: Step): void {
  const { fan, agent } = context.input
  const ended = resultsInOrder(context).map((result) => joiningOf(context, result))
  const joining = fan.quorum === undefined ? ended : ended.filter(({ joined }) => joined)
  const joined = new Set(joining.map(({ index }) => index))
  const dropped: string[] = []
  for (let index = 0; index < branchCount(context); index++)
    if (!joined.has(index)) dropped.push(branchName(context, index))
  const merged = mergeJoining(
    context.state,
    joining,
    context.rules,
    fan.failurePolicy === "collect"
      ? {
          ended,
          forEachAgent: fan.forEach === undefined ? null : (fan.branches[0]?.agent ?? null),
        }
      : null,
  )
  step.emit({
    type: "parallel.joined",
    merged: joining.map(({ name }) => name),
    dropped,
    ...fanLocation(context.input),
  })
  if (!merged.ok) {
    context.error = mergeError(agent, merged.message)
    return
  }
  context.state =
    fan.forEach === undefined
      ? merged.state
      : collectLists(merged.state, fan.forEach, writesByIndex(context, joining))
  context.text = textOfBlock(joining)
  context.newEntries = joining.flatMap(({ newEntries }) => newEntries)
}

/**
 * Returns whether the state changes of an ended branch are merged. Without a quorum, all ended
 * branches are merged. With a quorum, only branches that succeeded, reached a limit or were stopped
 * are merged.
 */
const isJoined = ({ input: { fan } }: FanContext, { output }: BranchResult): boolean =>
  fan.quorum === undefined ||
  isSuccess(output) ||
  output.signal === "limited" ||
  output.signal === "stopped"

interface EndedBranch extends JoiningBranch {
  /** Whether the state changes of the branch are merged into the state of the block. */
  readonly joined: boolean
  /**
   * Whether the agent of the branch was skipped because of its `when` condition. Such a branch has
   * no state changes.
   */
  readonly skipped: boolean
}

function joiningOf(context: FanContext, result: BranchResult): EndedBranch {
  const { index, output } = result
  const { forEach } = context.input.fan
  return {
    index,
    name: branchName(context, index),
    agent: branchAt(context, index).agent,
    patch:
      forEach === undefined ? output.patch : leavingWrites(output.patch, forEach, context.rules),
    allWrites: output.patch,
    lastText: output.lastText,
    newEntries: output.newEntries,
    failed: output.signal === "failed",
    error: output.error,
    joined: isJoined(context, result),
    skipped: output.skipped === true,
  }
}

/**
 * Returns the state changes of all branches by branch index. The entry of a branch is null if it
 * was skipped or is not merged.
 */
function writesByIndex(
  context: FanContext,
  joining: readonly EndedBranch[],
): readonly (StatePatch | null)[] {
  const writes = Array.from({ length: branchCount(context) }, (): StatePatch | null => null)
  for (const { index, skipped, allWrites } of joining)
    if (!skipped) writes[index] = allWrites ?? null
  return writes
}
