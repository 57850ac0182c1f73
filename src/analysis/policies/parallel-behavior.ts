import type { ChartState, FailurePolicy } from "../../machines/contract/chart-machine.js"
import type { Behavior, Control, Effect, End, Move, Variant } from "./behavior.js"
import { ended, endWith, goesTo, occurs } from "./behavior.js"
import type { Branch, BranchEdge } from "./branch.js"
import { reduceBranch } from "./branch.js"
import type { RunPlace, Setting } from "./setting.js"
import { keysWrittenBelow } from "./written-keys.js"

/** Where the branches of a block are: a state, `"new"`, or the outcome with which it ended. */
export interface ParallelControl extends Control {
  readonly branches: readonly (number | "new" | "over")[]
  readonly failed: boolean
  readonly escalated: boolean
  readonly escalates: boolean
}

/** The rules by which a block ends. */
interface BlockRules {
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  /** Returns the end of the block that one branch causes; null: the block goes on. */
  readonly endOf: (end: End) => End | null
  /** Returns the ends of a block whose branches have all ended. */
  readonly joined: (
    state: Pick<ParallelControl, "failed" | "escalated" | "escalates">,
  ) => Variant<ParallelControl>
}

/** Returns the behavior of a parallel state with one region for each branch. */
export function regionsBehavior(
  path: string,
  state: ChartState,
  place: RunPlace,
  setting: Setting,
  regionBehavior: (region: string, place: RunPlace) => Behavior,
): Behavior<ParallelControl> {
  const branches = Object.keys(state.states ?? {}).map((key, index) =>
    reduceBranch(
      regionBehavior(`${path}.${key}`, { ...place, id: `${place.id}.${index}`, isHidden: true }),
      setting,
      false,
    ),
  )
  return blockBehavior(branches, keysWrittenBelow(state, setting), place, setting, {
    failurePolicy: state.meta?.failurePolicy ?? "fail-fast",
    maxConcurrency: null,
    endOf: (end) => (end.escape === null ? null : end),
    joined: ({ failed, escalated, escalates }) =>
      ended(endWith("done", { escalates, someFailed: failed, someEscalated: escalated })),
  })
}

/** A branch of a fan. */
interface FanBranch {
  readonly agent: string
  readonly id: string
  readonly behavior: (place: RunPlace) => Behavior
}

/** Returns the behavior of a block whose branches are actors of the machine `fan`. */
export function fanBehavior(
  agent: string,
  branches: readonly FanBranch[],
  rules: {
    readonly failurePolicy: FailurePolicy
    readonly maxConcurrency: number | null
    readonly subAgentExitFlow?: "agent"
  },
  keys: readonly string[],
  place: RunPlace,
  setting: Setting,
): Behavior<ParallelControl> {
  const { failurePolicy, maxConcurrency, subAgentExitFlow } = rules
  const reduced = branches.map(({ id, behavior }) =>
    reduceBranch(
      behavior({ id, within: place.within, isHidden: true }),
      setting,
      maxConcurrency !== null,
    ),
  )
  const base = { agent, within: place.within }
  const self = place.within.at(-1)
  const activity = self === undefined ? {} : { activity: self }
  const finish = (outcome: End["signal"]): Effect =>
    occurs({ kind: "finish", name: agent, ...base, outcome, ...activity })
  const dropped = occurs({ kind: "dropped", name: `${place.id}.`, agent, within: [] })
  const block = blockBehavior(reduced, keys, place, setting, {
    failurePolicy,
    maxConcurrency,
    endOf: ({ signal, escalates }) => {
      if (signal === "limited") return endWith("limited", { escalates })
      if (signal === "exited" && subAgentExitFlow !== "agent")
        return endWith("exited", { escalates })
      return signal === "failed" && failurePolicy === "fail-fast"
        ? endWith("failed", { escalates })
        : null
    },
    joined: ({ failed, escalated, escalates }) => {
      const signal =
        failed && failurePolicy === "wait-all" ? "failed" : escalated ? "escalated" : "done"
      return ended(endWith(signal, { escalates }))
    },
  })
  const close = <Step extends Variant>(variant: Step): Step =>
    variant.end === null
      ? variant
      : { ...variant, effects: [...variant.effects, dropped, finish(variant.end.signal)] }
  return {
    start: () =>
      block.start().map((variant) =>
        close({
          ...variant,
          effects: [
            occurs({ kind: "start", name: agent, ...base, ...activity }),
            ...variant.effects,
          ],
        }),
      ),
    moves: (state) => block.moves(state).map(close),
    waits: (state) => block.waits(state),
  }
}

/** Interleaves reduced branches. Branches that emit nothing are one branch. */
function blockBehavior(
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
  const release: Effect = { type: "release", keys: hidden }

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
    effects: readonly Effect[],
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
    return startMore(next, now, told.records, told.told)
  }

  interface Found extends Variant<ParallelControl> {
    readonly records: number
    readonly told: BranchEdge["told"]
  }

  const isAtWork = (state: ParallelControl, index: number): boolean => {
    const at = state.branches[index]
    return typeof at === "number" && branches[index]?.waits[at] !== true
  }

  /** Starts further branches in order, as long as there is room. */
  const startMore = (
    state: ParallelControl,
    effects: readonly Effect[],
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
      return [{ ...goesTo(state, effects), records, told }]
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
      startMore(
        control(
          branches.map(() => "new"),
          { failed: false, escalated: false, escalates: false },
        ),
        [{ type: "hide", keys: hidden }],
        0,
        [],
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
    isCut: false,
  }
  return [one, ...branches.filter(({ isSilent }) => !isSilent)]
}
