import type { KeyWriteEvent } from "./key-events.js"

/**
 * The innermost parallel branch that contains a read or write of a key. `outer` is the next
 * enclosing branch.
 */
export interface EnclosingBranch {
  /** Index of the `open` event of the parallel block, which identifies the block. */
  readonly fork: number
  /** Index of the branch in its block. */
  readonly branch: number
  /**
   * Whether the access depends on a `when` condition in the branch. Two accesses that depend on
   * conditions may exclude each other.
   */
  readonly conditional: boolean
  readonly outer: EnclosingBranch | null
}

/**
 * A write of a session state key, with its index among the events and the parallel branch that
 * contains it.
 */
export interface PlacedWrite extends KeyWriteEvent {
  /** Index of the write among the events. */
  readonly index: number
  /** The innermost parallel branch that contains the write. null: not in a parallel block. */
  readonly branches: EnclosingBranch | null
}

/**
 * The writes of one key, grouped by enclosing parallel block (the index of its `open` event). At
 * most two writes of each block are stored, in different branches.
 */
export type WritesByFork = ReadonlyMap<number, readonly PlacedWrite[]>

/**
 * Groups the writes of one key by the parallel blocks that contain them, so that a read need not be
 * compared with every write.
 */
export function groupByFork(writes: readonly PlacedWrite[]): WritesByFork {
  const forks = new Map<number, PlacedWrite[]>()
  for (const write of writes) {
    for (let around = write.branches; around !== null; around = around.outer) {
      const group = forks.get(around.fork) ?? []
      forks.set(around.fork, group)
      if (
        group.length === 0 ||
        (group.length === 1 &&
          sharedFork(group[0]?.branches ?? null, write.branches) === around.fork)
      )
        group.push(write)
    }
  }
  return forks
}

/**
 * Returns a write whose branch runs in parallel to `branches` or to one of its enclosing branches.
 * Returns null if there is none.
 */
export function findSiblingWrite(
  branches: EnclosingBranch | null,
  forks: WritesByFork | undefined,
): PlacedWrite | null {
  for (let around = branches; around !== null; around = around.outer) {
    const { fork } = around
    const found = forks?.get(fork)?.find((write) => sharedFork(write.branches, branches) === fork)
    if (found !== undefined) return found
  }
  return null
}

/**
 * Returns the index of the parallel block in which two accesses are in different branches. Returns
 * null if there is none, or if both accesses depend on conditions and may exclude each other.
 */
export function sharedFork(
  one: EnclosingBranch | null,
  other: EnclosingBranch | null,
): number | null {
  const byFork = new Map<number, EnclosingBranch>()
  for (let around = one; around !== null; around = around.outer) byFork.set(around.fork, around)
  for (let around = other; around !== null; around = around.outer) {
    const same = byFork.get(around.fork)
    if (same !== undefined && same.branch !== around.branch)
      return same.conditional && around.conditional ? null : around.fork
  }
  return null
}
