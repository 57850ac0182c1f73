import type { FailurePolicy } from "../../machines/contract/chart-machine.js"
import type { Behavior, Control, RunEffect, End, Move, Variant } from "../behavior/behavior.js"
import { ended, endWith, goesTo } from "../behavior/behavior.js"
import type { RunPlace, Setting } from "../behavior/setting.js"
import type { Branch, BranchEdge } from "./branch.js"

/** Where the branches of a block are: a state, `"new"`, or the outcome with which it ended. */
export interface ParallelControl extends Control {
  readonly branches: readonly (number | "new" | "over")[]
  readonly failed: boolean
  readonly escalated: boolean
  readonly escalates: boolean
}

/** The rules by which a block ends. */
export interface BlockRules {
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  /** Whether the block can end before all of its branches have (`completion`). */
  readonly endsEarly: boolean
  /** Whether branches at the end of the list need not exist, because they stand for items. */
  readonly hasItems: boolean
  /** Returns the end of the block that one branch causes; null: the block goes on. */
  readonly endOf: (end: End) => End | null
  /** Whether a branch with this end can cancel the other branches (`onEscalate`). */
  readonly canCancel: (end: End) => boolean
  /** Returns the ends of a block whose branches have all ended. */
  readonly joined: (
    state: Pick<ParallelControl, "failed" | "escalated" | "escalates">,
  ) => Variant<ParallelControl>
}

/** Interleaves reduced branches. Branches that emit nothing are one branch. */
export function blockBehavior(
  all: readonly Branch[],
  keys: readonly string[],
  place: RunPlace,
  setting: Setting,
  rules: BlockRules,
): Behavior<ParallelControl> {
  const branches = withoutCopies(all, rules)
  const room = rules.maxConcurrency ?? branches.length
  const isAdk = setting.chart.dialect === "adk"
  const hidden = place.isHidden ? [] : keys
  const release: RunEffect = { type: "release", keys: hidden }

  const control = (
    states: ParallelControl["branches"],
    { failed, escalated, escalates }: Pick<ParallelControl, "failed" | "escalated" | "escalates">,
  ): ParallelControl => ({
    key: `${states.join(",")} ${failed ? "f" : ""}${escalated ? "e" : ""}${escalates ? "s" : ""}`,
    branches: states,
    failed,
    escalated,
    escalates,
  })

  /** Returns the states after one branch has taken an edge, and new branches have started. */
  const apply = (
    state: ParallelControl,
    index: number,
    edge: BranchEdge,
    effects: readonly RunEffect[],
  ): readonly Found[] => {
    const now = [...effects, ...edge.effects]
    const told = { records: edge.records, told: edge.told }
    if (edge.to !== null)
      return startMore(
        control(replace(state.branches, index, edge.to), state),
        now,
        told.records,
        told.told,
      )
    const end = edge.end ?? endWith("failed")
    const last = rules.endOf(end)
    if (last !== null) return [{ ...ended(last, [...now, release]), ...told }]
    const next = control(replace(state.branches, index, "over"), {
      failed: state.failed || end.signal === "failed",
      escalated: state.escalated || (end.signal === "escalated" && !isAdk),
      escalates: state.escalates || end.escalates || (end.signal === "escalated" && isAdk),
    })
    const going = startMore(next, now, told.records, told.told)
    if (!rules.canCancel(end)) return going
    const cancelled = rules.joined(next)
    return [...going, { ...cancelled, effects: [...now, ...cancelled.effects, release], ...told }]
  }

  interface Found extends Variant<ParallelControl> {
    readonly records: number
    readonly told: BranchEdge["told"]
  }

  const isAtWork = (state: ParallelControl, index: number): boolean => {
    const at = state.branches[index]
    return typeof at === "number" && branches[index]?.waits[at] !== true
  }

  /**
   * Returns the ends of a block that enough branches have completed, or that enough branches can no
   * longer complete. How many have succeeded is not counted, so the block can end at any time.
   */
  const earlyEnds = (
    state: ParallelControl,
    effects: readonly RunEffect[],
    records: number,
    told: BranchEdge["told"],
  ): readonly Found[] =>
    !rules.endsEarly
      ? []
      : [
          rules.joined({ ...state, failed: false }),
          ...(state.failed ? [ended(endWith("failed"))] : []),
        ].map((end) => ({ ...end, effects: [...effects, ...end.effects, release], records, told }))

  /** Starts further branches in order, as long as there is room. */
  const startMore = (
    state: ParallelControl,
    effects: readonly RunEffect[],
    records: number,
    told: BranchEdge["told"],
  ): readonly Found[] => {
    const index = state.branches.indexOf("new")
    const atWork = state.branches.filter((_, one) => isAtWork(state, one)).length
    if (index === -1 || atWork >= room) {
      if (state.branches.every((one) => one === "over")) {
        const joined = rules.joined(state)
        return [{ ...joined, effects: [...effects, ...joined.effects, release], records, told }]
      }
      return [
        { ...goesTo(state, effects), records, told },
        ...earlyEnds(state, effects, records, told),
      ]
    }
    return (branches[index]?.starts ?? []).flatMap((edge) =>
      apply(state, index, edge, effects).map((found) => ({
        ...found,
        records: records + found.records,
        told: [...told, ...found.told],
      })),
    )
  }

  return {
    start: () =>
      (rules.hasItems
        ? Array.from({ length: branches.length + 1 }, (_, count) => count)
        : [branches.length]
      ).flatMap((count) =>
        startMore(
          control(
            branches.map((_, index) => (index < count ? "new" : "over")),
            { failed: false, escalated: false, escalates: false },
          ),
          [{ type: "hide", keys: hidden }],
          0,
          [],
        ),
      ),
    waits: (state) =>
      !state.branches.includes("new") &&
      state.branches.every((_, index) => !isAtWork(state, index)),
    moves: (state) =>
      state.branches.flatMap((at, index) =>
        typeof at === "number"
          ? (branches[index]?.edges[at] ?? []).flatMap((edge) =>
              apply(state, index, edge, []).map(toMove),
            )
          : [],
      ),
  }
}

const toMove = (
  found: Variant<ParallelControl> & Pick<BranchEdge, "records" | "told">,
): Move<ParallelControl> => {
  const { told, ...variant } = found
  return {
    ...variant,
    does: told.map(({ does }) => does).join(" ") || null,
    agent: told.at(-1)?.agent ?? null,
  }
}

const replace = (
  states: ParallelControl["branches"],
  index: number,
  state: ParallelControl["branches"][number],
): ParallelControl["branches"] => states.map((one, at) => (at === index ? state : one))

/**
 * Leaves out all silent branches but one, which can end as any of them. With `maxConcurrency` every
 * branch counts, because it decides when the next one starts.
 */
function withoutCopies(
  branches: readonly Branch[],
  { maxConcurrency }: BlockRules,
): readonly Branch[] {
  if (maxConcurrency !== null) return branches
  const silent = branches.filter(({ isSilent }) => isSilent)
  if (silent.length < 2) return branches
  const starts = new Map(
    silent.flatMap((branch) => branch.starts).map((edge) => [JSON.stringify(edge.end), edge]),
  )
  const one: Branch = {
    starts: [...starts.values()],
    edges: [],
    waits: [],
    isSilent: true,
  }
  return [one, ...branches.filter(({ isSilent }) => !isSilent)]
}
