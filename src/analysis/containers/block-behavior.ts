import type { Policy } from "../../policies/policy.js"
import type { Behavior, End, RunEffect, Variant } from "../behavior/behavior.js"
import { endVariant, endWith, nextVariant } from "../behavior/behavior.js"
import { unionOfKeys } from "../behavior/deferred-writes.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import type { BlockRules, ParallelControl } from "./block-rules.js"
import type { BlockStep, StepSoFar } from "./block-step.js"
import { instantEdges, nextToStart } from "./start-order.js"
import { joinSteps, moveOf, noStep, stepTo } from "./block-step.js"
import type { Branch, BranchEdge } from "./branch.js"
import type { BlockFlags } from "./silent-branches.js"
import { noFlags, SilentBranches, unionOf } from "./silent-branches.js"

/**
 * Returns the transition system of a parallel block, which interleaves the steps of its branches.
 * Each branch contains only steps that are relevant to the policy. A branch without such steps can
 * end at any time. With `maxConcurrency`, the next branch can start as soon as a running branch may
 * have ended or waits for a person.
 */
export function blockBehavior(
  branches: readonly Branch[],
  keys: readonly string[],
  location: NestedLocation,
  setting: Setting,
  rules: BlockRules,
): Behavior<ParallelControl> {
  const room = rules.maxConcurrency ?? branches.length
  const leftOut = Math.max(0, ...(rules.items ?? []).map((items) => items.leftOut))
  const isAdk = setting.chart.dialect === "adk"
  const hidden = location.isHidden ? [] : keys
  const release: RunEffect = { type: "release", keys: hidden }
  const flagsOf = ({ signal, escalates, wrote }: End): BlockFlags => ({
    wrote,
    failed: signal === "failed",
    escalated: signal === "escalated" && !isAdk,
    escalates: escalates || (signal === "escalated" && isAdk),
  })
  const silent = new SilentBranches(
    branches.filter(({ isSilent }) => isSilent),
    { ...rules, flagsOf },
  )

  // The branches of a `forEach` block are copies of one branch.
  const isSymmetric = rules.items !== null && !distinguishesActivities(setting.policy)

  const classOf = (state: ParallelControl["branches"][number], index: number): number | string =>
    typeof state === "number" ? (branches[index]?.classes[state] ?? state) : state

  const keyOf = (states: ParallelControl["branches"]): string => {
    const classes = states.map(classOf)
    return (isSymmetric ? classes.map(String).sort() : classes).join(",")
  }

  const control = (
    states: ParallelControl["branches"],
    { failed, escalated, escalates, wrote }: BlockFlags,
    closing: End | null = null,
  ): ParallelControl => ({
    key: `${keyOf(states)} ${failed ? "f" : ""}${escalated ? "e" : ""}${escalates ? "s" : ""}${wrote.join()}${closing === null ? "" : JSON.stringify(closing)}`,
    branches: states,
    closing,
    failed,
    escalated,
    escalates,
    wrote,
  })

  /** Returns the step that ends the block, after its branches have written the keys in `wrote`. */
  const close = (
    step: StepSoFar,
    { effects, next, end }: Variant<ParallelControl>,
    { wrote }: BlockFlags,
  ): BlockStep<ParallelControl> =>
    stepTo(step, {
      effects: [...effects, release],
      next,
      end: end === null ? null : { ...end, wrote: unionOfKeys(end.wrote, wrote) },
    })

  const join = (step: StepSoFar, flags: BlockFlags): BlockStep<ParallelControl> =>
    close(step, rules.joined(flags), flags)

  /** Lets a branch take the step `edge`, then starts more branches. Returns the block's steps. */
  const apply = (
    state: ParallelControl,
    index: number,
    edge: BranchEdge,
    before: StepSoFar,
  ): readonly BlockStep<ParallelControl>[] => {
    const step = joinSteps(before, edge)
    if (edge.to !== null) return startMore(withBranch(state, index, edge.to), step)
    const end = edge.end ?? endWith("failed")
    const last = rules.endOf(end)
    const flags = unionOf(state, flagsOf(end))
    const isStarting = edge.records === 0 && mustStart(withBranch(state, index, "silent"))
    const closing = state.closing ?? last
    const next = control(replace(state.branches, index, "over"), flags, closing)
    if (closing !== null)
      return [close(step, endVariant(closing), flags), ...(isStarting ? startMore(next, step) : [])]
    const cancelled = rules.canCancel(end)
      ? silent
          .some(countSilent(state))
          .map((one) => join(joinSteps(step, one), unionOf(flags, one.flags)))
      : []
    return [...startMore(next, step), ...cancelled]
  }

  const withBranch = (
    state: ParallelControl,
    index: number,
    branch: ParallelControl["branches"][number],
  ): ParallelControl => control(replace(state.branches, index, branch), state, state.closing)

  const freeSlots = ({ branches: states }: ParallelControl): number =>
    room - states.filter((branch) => typeof branch === "number" || branch === "silent").length

  const mustStart = (state: ParallelControl): boolean =>
    state.branches.includes("new") && freeSlots(state) > 0

  const startable = (state: ParallelControl): readonly number[] =>
    nextToStart(state.branches, branches, freeSlots(state), rules.items !== null)

  /** Returns steps without a response that running branches take before the next branch starts. */
  const instantSteps = (state: ParallelControl): readonly BlockStep<ParallelControl>[] =>
    state.branches.flatMap((branch, index) =>
      instantEdges(branches[index], branch).flatMap((edge) => apply(state, index, edge, noStep)),
    )

  /**
   * Starts the next branches in order, as long as `maxConcurrency` allows it in every case. A
   * branch with several initial states starts in a separate step, because combinations of initial
   * states would be too many states.
   */
  const startMore = (
    state: ParallelControl,
    step: StepSoFar,
  ): readonly BlockStep<ParallelControl>[] => {
    if (mustStart(state)) {
      const [index = -1, ...others] = startable(state)
      const branch = branches[index]
      const isOnly =
        others.length === 0 &&
        state.branches.every((branch, one) => instantEdges(branches[one], branch).length === 0)
      return branch?.isSilent === true || (isOnly && branch?.starts.length === 1)
        ? startNext(state, step, index)
        : [stepTo(step, nextVariant(state))]
    }
    if (state.closing !== null) return [close(step, endVariant(state.closing), state)]
    return haveAllEnded(state) && branches.some(({ isSilent }) => !isSilent)
      ? finish(state, step)
      : [stepTo(step, nextVariant(state))]
  }

  const startNext = (
    state: ParallelControl,
    step: StepSoFar,
    index = state.branches.indexOf("new"),
  ): readonly BlockStep<ParallelControl>[] => {
    const branch = branches[index] as Branch
    // A branch without an initial state cannot run.
    if (branch.starts.length === 0) return []
    return branch.isSilent
      ? startMore(withBranch(state, index, "silent"), step)
      : branch.starts.flatMap((edge) => apply(state, index, edge, step))
  }

  /**
   * Returns the steps that end a block whose branches have all ended or are silent. Silent branches
   * have no policy-relevant steps, so they may have ended too.
   */
  const finish = (
    state: ParallelControl,
    step: StepSoFar,
  ): readonly BlockStep<ParallelControl>[] => {
    const ends = silent.all(countSilent(state))
    return [
      ...ends.map((one) => join(joinSteps(step, one), unionOf(state, one.flags))),
      ...sideEnds(state, step),
    ]
  }

  /**
   * Returns the steps in which silent branches (without policy-relevant steps) end the block early.
   * For example, a silent branch fails, or completes the quorum.
   */
  const sideEnds = (
    state: ParallelControl,
    step: StepSoFar,
  ): readonly BlockStep<ParallelControl>[] => {
    const count = countSilent(state)
    const some = silent.some(count)
    const cancelled = some
      .filter(({ cancels }) => cancels)
      .map((one) => join(joinSteps(step, one), unionOf(state, one.flags)))
    const open = endsBefore(state)
    // The state contains how many branches have ended, but not how many of them succeeded.
    const early = (rules.quorum === null ? [] : some).flatMap((one) => {
      const flags = unionOf(state, one.flags)
      return [
        ...(one.count >= open ? [rules.joined({ ...flags, failed: false })] : []),
        ...(flags.failed ? [endVariant(endWith("failed"))] : []),
      ].map((variant) => close(joinSteps(step, one), variant, flags))
    })
    const last = silent
      .lasts(count)
      .map((one) => close(joinSteps(step, one.step), endVariant(one.end), state))
    return [...last, ...cancelled, ...early]
  }

  const isAtWork = (state: ParallelControl, index: number): boolean => {
    const branchState = state.branches[index]
    return typeof branchState === "number" && branches[index]?.waits[branchState] !== true
  }

  const hasRoom = (state: ParallelControl): boolean =>
    state.branches.includes("new") &&
    state.branches.filter((_, index) => isAtWork(state, index)).length < room

  /**
   * Returns the steps that lead to a state in which a branch waits for a person. While it waits,
   * another branch can start.
   */
  const pausing = (state: ParallelControl): readonly BlockStep<ParallelControl>[] =>
    state.branches.flatMap((branch, index) =>
      typeof branch !== "number" || !isAtWork(state, index)
        ? []
        : (branches[index]?.pauses[branch] ?? []).flatMap((edge) => {
            const next = withBranch(state, index, edge.to ?? branch)
            const step = joinSteps(noStep, edge)
            if (hasRoom(next)) return startNext(next, step)
            return location.countsWaiting ? [stepTo(step, nextVariant(next))] : []
          }),
    )

  /**
   * Returns how many silent branches (without policy-relevant steps) must have ended before the
   * block can end with its quorum.
   */
  const endsBefore = ({ branches: states }: ParallelControl): number => {
    const others = states.includes("absent") ? 0 : leftOut
    const ended = states.filter((branch) => branch === "over").length
    return (rules.quorum ?? 0) - ended - others
  }

  const countSilent = ({ branches: states }: ParallelControl): number =>
    states.filter((branch) => branch === "silent").length

  const haveAllEnded = ({ branches: states }: ParallelControl): boolean =>
    states.every((branch) => branch === "over" || branch === "silent" || branch === "absent")

  return {
    start: () =>
      (rules.items ?? [{ branches: branches.length, effects: [] }]).flatMap((items) => {
        const count = items.branches ?? 0
        const states = branches.map((_, index) => (index < count ? "new" : "absent"))
        return startMore(control(states, noFlags), noStep).map(({ effects, next, end }) => ({
          effects: [...items.effects, { type: "hide", keys: hidden }, ...effects],
          next,
          end,
        }))
      }),
    waits: (state) =>
      !state.branches.includes("new") &&
      state.branches.every((_, index) => !isAtWork(state, index)),
    moves: (state) =>
      (mustStart(state)
        ? [
            ...startable(state).flatMap((index) => startNext(state, noStep, index)),
            ...instantSteps(state),
          ]
        : haveAllEnded(state)
          ? finish(state, noStep)
          : [
              ...state.branches.flatMap((branch, index) =>
                typeof branch === "number"
                  ? (branches[index]?.edges[branch] ?? []).flatMap((edge) =>
                      apply(state, index, edge, noStep),
                    )
                  : [],
              ),
              ...sideEnds(state, noStep),
              ...(hasRoom(state) ? startNext(state, noStep) : []),
              ...(rules.maxConcurrency !== null || location.countsWaiting ? pausing(state) : []),
            ]
      ).map(moveOf),
  }
}

/**
 * Returns whether the verdict on a policy depends on which turn of an agent causes an event. If
 * not, the equal branches of a `forEach` block are interchangeable.
 */
const distinguishesActivities = ({ rule, per }: Policy): boolean =>
  rule.pattern === "notTogether" || per.type === "agent" || per.type === "iteration"

const replace = (
  states: ParallelControl["branches"],
  index: number,
  state: ParallelControl["branches"][number],
): ParallelControl["branches"] => states.map((one, position) => (position === index ? state : one))
