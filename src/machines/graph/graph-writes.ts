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
 * The session state at one point of a path through a graph, and the changes that led to it. A node
 * sees the changes of its predecessors, but not those of nodes that run at the same time. The
 * result therefore does not depend on timing.
 */
export interface Writes {
  /**
   * Sequence number of these changes. It is unique in a run of the graph, and higher than those of
   * all earlier changes.
   */
  readonly ordinal: number
  /** The session state after these changes. */
  readonly state: SessionState
  /** The changes of the session state since the previous point of the path, which is `before`. */
  readonly patch: StatePatch
  /**
   * The previous changes on this path. null if there was no other active path, because later merges
   * then do not need the previous changes.
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
 * Returns the same session state without the previous changes of the path. Call it only if there is
 * no other active path, because later merges then do not need the previous changes.
 */
export const withoutHistory = ({ ordinal, state }: Writes): Writes => ({
  ordinal,
  state,
  patch: emptyPatch,
  before: null,
})

/**
 * A path through the graph that is merged with other paths. It consists of the id of its last node
 * and its state changes.
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
 * Returns the last point that all paths have in common, and the changes of each path since this
 * point, newest first.
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
