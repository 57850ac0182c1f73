import type { KeyWriteEvent } from "./key-events.js"

/** A branch of a parallel block that contains a read or a write, and the branches around it. */
export interface EnclosingBranch {
  /** Identifies the parallel block: the index of its `open` event. */
  readonly fork: number
  /** Index of the branch in its block. */
  readonly branch: number
  /** Whether a `when` is between the block and the access, so that it may exclude other branches. */
  readonly conditional: boolean
  readonly outer: EnclosingBranch | null
}

/** A write, and where it happens. */
export interface PlacedWrite extends KeyWriteEvent {
  /** Index among the events. */
  readonly index: number
  /** The innermost branch around the write. null: outside of every parallel block. */
  readonly branches: EnclosingBranch | null
}

/** The writes of one key by parallel block. Of each block at most two, in different branches. */
export type WritesByFork = ReadonlyMap<number, readonly PlacedWrite[]>

/**
 * Groups the writes of one key by the parallel blocks around them, so that a read does not have to
 * be compared with every write.
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

/** Returns a write in a parallel sibling of one of these branches, or null if there is none. */
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

/** Returns the parallel block that has both in different branches, or null if there is none. */
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
