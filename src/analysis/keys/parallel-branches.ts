import type { KeyWriteEvent } from "./key-events.js"

/**
 * The innermost parallel branch that contains a read or write of a session state key. `outer` is
 * the next enclosing branch, or null if there is none.
 */
export interface EnclosingBranch {
  /** Index of the event that opens the parallel block. It identifies the block. */
  readonly fork: number
  /** Index of the branch in its parallel block, from 0. */
  readonly branch: number
  /**
   * Whether a `when` condition in the branch can skip this read or write. Two accesses that can be
   * skipped do not count as simultaneous, because their conditions may exclude each other.
   */
  readonly conditional: boolean
  readonly outer: EnclosingBranch | null
}

/**
 * A write of a session state key, with its position in the execution order and the parallel branch
 * that contains it.
 */
export interface PlacedWrite extends KeyWriteEvent {
  /** Index of the write in the list of all reads and writes, which are in execution order. */
  readonly index: number
  /**
   * The innermost parallel branch that contains the write. Its field `outer` contains the enclosing
   * branches. null if the write is not in a parallel block.
   */
  readonly branches: EnclosingBranch | null
}

/**
 * The writes of one session state key, grouped by parallel block. The map key is the index that
 * identifies a block (`EnclosingBranch.fork`). For each block, at most two writes in different
 * branches are stored. This is sufficient to find a write in another branch than a given read.
 */
export type WritesByFork = ReadonlyMap<number, readonly PlacedWrite[]>

/**
 * Groups the writes of one session state key by the parallel blocks that contain them. With the
 * groups, a read does not have to be compared with every write.
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
 * Returns a write that can run at the same time as an access in the branch `branches`. The write is
 * in a different branch of a parallel block that contains both. Returns null if there is no such
 * write.
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
 * Searches the parallel block in which two accesses are in different branches. Returns the index
 * that identifies the block, or null if there is no such block. Also returns null if both accesses
 * depend on `when` conditions, which may exclude each other.
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
