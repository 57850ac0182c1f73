import type { ChartState, FailurePolicy, ForEach } from "../../machines/contract/chart-machine.js"
import { leavesBranch } from "../../machines/containers/for-each.js"
import { systemKey } from "../../machines/data/system-keys.js"
import type { Behavior, RunEffect, End, Variant } from "../behavior/behavior.js"
import { endVariant, endWith, occurrenceEffect } from "../behavior/behavior.js"
import type { ParallelControl } from "./block-rules.js"
import { blockBehavior } from "./block-behavior.js"
import { reduceBranch } from "./branch.js"
import { itemCounts } from "./item-counts.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import { unionOfKeys } from "../behavior/deferred-writes.js"
import { checkCopies } from "../behavior/branch-copies.js"
import { keysWrittenBelow } from "../behavior/written-keys.js"

/**
 * Returns the transition system (all possible executions) of a parallel state, which has one region
 * for each branch.
 */
export function regionsBehavior(
  path: string,
  state: ChartState,
  location: NestedLocation,
  setting: Setting,
  regionBehavior: (region: string, location: NestedLocation) => Behavior,
): Behavior<ParallelControl> {
  const branches = Object.keys(state.states ?? {}).map((key, index) =>
    reduceBranch(
      regionBehavior(`${path}.${key}`, {
        ...location,
        id: `${location.id}.${index}`,
        isHidden: true,
      }),
      setting,
      location.countsWaiting,
    ),
  )
  const failurePolicy = state.meta?.failurePolicy ?? "fail-fast"
  const block = blockBehavior(branches, keysWrittenBelow(state, setting), location, setting, {
    failurePolicy,
    maxConcurrency: null,
    quorum: null,
    items: null,
    endOf: (end) => (end.escape === null ? null : end),
    canCancel: () => false,
    joined: ({ failed, escalated, escalates }) =>
      endVariant(endWith("done", { escalates, someFailed: failed, someEscalated: escalated })),
  })
  const ends = endsWithErrors(failurePolicy, setting)
  return {
    start: () => block.start().flatMap(ends),
    moves: (control) => block.moves(control).flatMap(ends),
    waits: (control) => block.waits(control),
  }
}

/**
 * Returns a function that can split a step into two variants. A block with `failurePolicy:
 * "collect"` may or may not write the key `branch_errors` at its end. A step that ends such a block
 * is split into these two variants. All other steps stay unchanged.
 */
function endsWithErrors(
  failurePolicy: FailurePolicy,
  { readsWrites, keys }: Setting,
): <Step extends Variant>(step: Step) => readonly Step[] {
  if (failurePolicy !== "collect" || !readsWrites || !keys.has(systemKey.branchErrors))
    return (step) => [step]
  return (step) =>
    step.end === null
      ? [step]
      : [
          step,
          {
            ...step,
            end: { ...step.end, wrote: unionOfKeys(step.end.wrote, [systemKey.branchErrors]) },
          },
        ]
}

/** One branch of a parallel block. The actor `fan` runs the branches of the block. */
interface FanBranch {
  readonly agent: string
  readonly id: string
  readonly behavior: (location: NestedLocation) => Behavior
}

/**
 * Removes the writes that stay inside a `forEach` branch from its result. Later agents cannot see
 * these writes of session state keys.
 */
function withLeavingWrites(branch: Behavior, forEach: ForEach, { chart }: Setting): Behavior {
  const { stateMerge } = chart.settings
  const passed = <Step extends Variant>(step: Step): Step => {
    if (step.end === null) return step
    const wrote = step.end.wrote.filter((key) => leavesBranch(key, forEach, stateMerge))
    return { ...step, end: { ...step.end, wrote } }
  }
  return {
    start: () => branch.start().map(passed),
    moves: (state) => branch.moves(state).map(passed),
    waits: (state) => branch.waits(state),
  }
}

/**
 * Returns the transition system (all possible executions) of a parallel block whose branches are
 * actors.
 */
export function fanBehavior(
  agent: string,
  branches: readonly FanBranch[],
  rules: {
    readonly failurePolicy: FailurePolicy
    readonly maxConcurrency: number | null
    readonly subAgentExitFlow?: "agent"
    readonly quorum?: number
    readonly forEach?: ForEach
    readonly onEscalate?: "cancel"
  },
  keys: readonly string[],
  location: NestedLocation,
  setting: Setting,
): Behavior<ParallelControl> {
  const { failurePolicy, maxConcurrency, subAgentExitFlow, quorum, forEach, onEscalate } = rules
  const countsWaiting = location.countsWaiting || maxConcurrency !== null
  const reduced = branches.map(({ id, behavior }) => {
    const branchLocation = {
      id,
      within: location.within,
      isHidden: true,
      countsWaiting,
      reportsPauses: false,
    }
    const branch = behavior(branchLocation)
    const passed = forEach === undefined ? branch : withLeavingWrites(branch, forEach, setting)
    return reduceBranch(passed, setting, countsWaiting)
  })
  if (forEach !== undefined)
    checkCopies(
      agent,
      forEach,
      reduced.every(({ isSilent }) => isSilent),
      setting,
    )
  const items =
    forEach === undefined
      ? null
      : itemCounts(
          forEach,
          branches.length,
          failurePolicy === "fail-fast" && quorum !== undefined ? quorum : null,
        )
  const base = { agent, within: location.within }
  const self = location.within.at(-1)
  const activity = self === undefined ? {} : { activity: self }
  const finish = (outcome: End["signal"]): RunEffect =>
    occurrenceEffect({ kind: "finish", name: agent, ...base, outcome, ...activity })
  const dropped = occurrenceEffect({ kind: "dropped", name: `${location.id}.`, agent, within: [] })
  const block = blockBehavior(reduced, keys, location, setting, {
    failurePolicy,
    maxConcurrency,
    quorum: quorum ?? null,
    items: items === null ? null : items.filter((one) => one.branches !== null),
    endOf: ({ signal, escalates, wrote }) => {
      if (signal === "limited") return endWith("limited", { escalates, wrote })
      if (signal === "exited" && subAgentExitFlow !== "agent")
        return endWith("exited", { escalates, wrote })
      return signal === "failed" && failurePolicy === "fail-fast" && quorum === undefined
        ? endWith("failed", { escalates, wrote })
        : null
    },
    // Which agent of the branch escalated is not known here.
    canCancel: ({ signal, escalates }) =>
      onEscalate === "cancel" && (signal === "escalated" || escalates),
    joined: ({ failed, escalated, escalates }) => {
      const signal =
        failed && failurePolicy === "wait-all" ? "failed" : escalated ? "escalated" : "done"
      return endVariant(endWith(signal, { escalates }))
    },
  })
  const collectedKeys = Object.keys(forEach?.collect ?? {}).filter((key) => setting.keys.has(key))
  const collected = collectedKeys.map((key): RunEffect => ({
    type: "write",
    key,
    value: { type: "any" },
    by: base,
    isReported: false,
  }))
  const close = <Step extends Variant>(variant: Step): Step =>
    variant.end === null
      ? variant
      : {
          ...variant,
          effects: [...variant.effects, dropped, ...collected, finish(variant.end.signal)],
          end: { ...variant.end, wrote: unionOfKeys(variant.end.wrote, collectedKeys) },
        }
  const startEvent = occurrenceEffect({ kind: "start", name: agent, ...base, ...activity })
  const refused = (items ?? [])
    .filter((one) => one.branches === null)
    .map((one) => endVariant(endWith("failed"), [startEvent, ...one.effects, finish("failed")]))
  const ends = endsWithErrors(failurePolicy, setting)
  return {
    start: () => [
      ...refused,
      ...block
        .start()
        .map((variant) => close({ ...variant, effects: [startEvent, ...variant.effects] }))
        .flatMap(ends),
    ],
    moves: (state) => block.moves(state).map(close).flatMap(ends),
    waits: (state) => block.waits(state),
  }
}
