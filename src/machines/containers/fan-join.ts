import type { Step } from "../contract/machine-kind.js"
import type { StatePatch } from "../data/session-state.js"
import { isSuccess } from "./completion.js"
import type { BranchResult, FanContext } from "./fan-context.js"
import { branchAt, branchCount, branchName, fanLocation, resultsInOrder } from "./fan-context.js"
import { collectLists, leavingWrites } from "./for-each.js"
import { mergeError, mergeJoining, textOfBlock } from "./join.js"
import type { JoiningBranch } from "./merge-branches.js"

/** Merges the finished branches in declaration order and discards the other branches. */
export function joinFan(context: FanContext, step: Step): void {
  const { fan, agent } = context.input
  const results = resultsInOrder(context)
  const ended = results.map((result) => joiningOf(context, result))
  const joining = results.flatMap((result, position): readonly JoiningBranch[] => {
    const branch = ended[position]
    return branch !== undefined && isJoined(context, result) ? [branch] : []
  })
  const joined = new Set(joining.map(({ name }) => name))
  const dropped = Array.from({ length: branchCount(context) }, (_, index) =>
    branchName(context, index),
  ).filter((name) => !joined.has(name))
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
      : collectLists(merged.state, fan.forEach, branchCount(context), writesOf(context, results))
  context.text = textOfBlock(joining)
  context.spoken = joining.flatMap(({ spoken }) => spoken)
}

/**
 * Returns whether a branch that has ended is joined. In a block with a quorum, only successful
 * branches and the branch that ends the run are joined.
 */
const isJoined = ({ input: { fan } }: FanContext, { output }: BranchResult): boolean =>
  fan.quorum === undefined ||
  isSuccess(output) ||
  output.signal === "limited" ||
  output.signal === "stopped"

function joiningOf(context: FanContext, { index, output }: BranchResult): JoiningBranch {
  const { forEach } = context.input.fan
  return {
    index,
    name: branchName(context, index),
    agent: branchAt(context, index).agent,
    patch:
      forEach === undefined ? output.patch : leavingWrites(output.patch, forEach, context.rules),
    ...(forEach !== undefined && { allWrites: output.patch }),
    lastText: output.lastText,
    spoken: output.spoken,
    failed: output.signal === "failed",
    error: output.error,
  }
}

/** Returns the writes of the joined branches for the lists of `collect`, by index of the branch. */
const writesOf = (
  context: FanContext,
  results: readonly BranchResult[],
): ReadonlyMap<number, StatePatch> =>
  new Map(
    results.flatMap((result): readonly (readonly [number, StatePatch])[] =>
      isJoined(context, result) && result.output.skipped !== true
        ? [[result.index, result.output.patch]]
        : [],
    ),
  )
