import type { MergeRule } from "../contract/agent-chart.js"
import { mergeJoining } from "../containers/join.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import {
  applyPatch,
  emptyPatch,
  forkState,
  hasKey,
  patchOf,
  readKey,
} from "../data/session-state.js"

/**
 * The session state after one step of a path, and the state changes that led to it. A path consists
 * of graph nodes that run one after the other, and of merges with other paths. A node sees the
 * changes of its predecessors, but not those of nodes that run at the same time. The result
 * therefore does not depend on timing.
 */
export interface Writes {
  /**
   * Sequence number of this step. It is unique in a run of the graph, and higher than those of all
   * earlier steps.
   */
  readonly ordinal: number
  /** The session state after this step. */
  readonly state: SessionState
  /** The state changes of this step. They are the changes since the previous step (`before`). */
  readonly patch: StatePatch
  /**
   * The previous step of the path. null for the first step of the graph, and for a step at which no
   * other path was active. In these cases, later merges do not need earlier changes.
   */
  readonly before: Writes | null
}

export const firstWrites = (state: SessionState): Writes => ({
  ordinal: 0,
  state: forkState(state),
  patch: emptyPatch,
  before: null,
})

export const writesAfter = (before: Writes, patch: StatePatch, ordinal: number): Writes => ({
  ordinal,
  state: applyPatch(before.state, patch),
  patch,
  before,
})

/**
 * Returns a step of a path without its previous steps. Call it only if no other path is active.
 * Later merges then do not need the changes of the previous steps.
 */
export const withoutHistory = ({ ordinal, state }: Writes): Writes => ({
  ordinal,
  state,
  patch: emptyPatch,
  before: null,
})

/**
 * A path of graph nodes that is merged with other paths at a node. `name` is the id of the last
 * node of the path.
 */
export interface JoiningPath {
  readonly name: string
  readonly writes: Writes
}

export type JoinResult =
  | { readonly ok: true; readonly writes: Writes }
  | { readonly ok: false; readonly message: string }

/**
 * Merges paths that meet at a node, in the order of the list. Like the end of a parallel block, it
 * merges the changes that each path made since the paths split (docs/semantics.md#merging). All
 * paths begin at the start of the graph, so they always have a common point. If a value has the
 * wrong type for its merge rule, returns an error message.
 */
export function joinPaths(
  all: readonly JoiningPath[],
  rules: Readonly<Record<string, MergeRule>>,
  ordinal: number,
): JoinResult {
  const [only] = all
  if (only !== undefined && all.every(({ writes }) => writes.ordinal === only.writes.ordinal))
    return { ok: true, writes: only.writes }
  const { forkPoint, changed } = findForkPoint(all.map(({ writes }) => writes))
  const branches = all.map(({ name }, index) => ({
    index,
    name,
    agent: name,
    patch: patchOf((changed[index] ?? []).reduceRight(applyPatch, forkState(forkPoint.state))),
    lastText: null,
    newEntries: [],
    failed: false,
    error: null,
  }))
  const merged = mergeJoining(forkPoint.state, branches, rules, null)
  if (!merged.ok) return merged
  return {
    ok: true,
    writes: {
      ordinal,
      state: merged.state,
      patch: changesIn(branches, merged.state),
      before: forkPoint,
    },
  }
}

/** Returns a state patch with the merged value of each key that at least one path changed. */
function changesIn(
  branches: readonly { readonly patch: StatePatch }[],
  merged: SessionState,
): StatePatch {
  const keys = new Set(
    branches.flatMap(({ patch }) => [...Object.keys(patch.set), ...patch.removed]),
  )
  const left = [...keys].filter((key) => hasKey(merged, key))
  return {
    set: Object.fromEntries(left.map((key) => [key, readKey(merged, key)])),
    removed: [...keys].filter((key) => !hasKey(merged, key)),
  }
}

/**
 * Returns the last step that all paths have in common, and the state changes of each path since
 * this step, newest first.
 */
function findForkPoint(all: readonly Writes[]): {
  readonly forkPoint: Writes
  readonly changed: readonly (readonly StatePatch[])[]
} {
  const current = [...all]
  const changed = all.map((): StatePatch[] => [])
  for (;;) {
    const oldest = Math.min(...current.map(({ ordinal }) => ordinal))
    let isSame = true
    for (const [index, writes] of current.entries()) {
      if (writes.ordinal === oldest || writes.before === null) continue
      isSame = false
      changed[index]?.push(writes.patch)
      current[index] = writes.before
    }
    const [first] = current
    if (first === undefined) throw new TypeError("joinPaths was called without a path")
    if (isSame) return { forkPoint: first, changed }
  }
}
