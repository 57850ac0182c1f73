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
   * Whether a `when` condition in the branch can skip the access. Two conditional accesses may
   * exclude each other.
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
   * The innermost parallel branch that contains the write. null if the write is not in a parallel
   * block.
   */
  readonly branches: EnclosingBranch | null
}

/**
 * The writes of one session state key, by the index that identifies a parallel block. For each
 * block, at most two writes in different branches are stored.
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
 * Returns a write in a branch that runs in parallel to `branches` or to one of the enclosing
 * branches. Returns null if no write is in such a branch.
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
 * Returns the index that identifies the parallel block in which two accesses are in different
 * branches. Returns null if there is no such block, or if both accesses are conditional and may
 * exclude each other.
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
