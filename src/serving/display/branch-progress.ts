import type { RunEvent } from "../../machines/contract/run-event.js"

/** The progress of a parallel block with `forEach`. All of its branches share one entry. */
export interface BranchProgress {
  readonly agent: string
  /** Path of the block, such as `pipeline/summarize_all`. */
  readonly path: string
  /** Number of items. */
  readonly total: number
  /** Number of branches that have ended, including failed and skipped branches. */
  readonly ended: number
  readonly failed: number
}

/** Counts the branches of blocks with `forEach`. Each event is read once. */
export class BranchCounter {
  readonly #blocks = new Map<string, BranchProgress>()

  /** Adds the next event of the run. Returns the progress of the block that it changed, or null. */
  apply(event: RunEvent): BranchProgress | null {
    if (event.type === "parallel.expanded") {
      const { agent, path, count: total } = event
      return this.#set({ agent, path, total, ended: 0, failed: 0 })
    }
    if (event.type !== "agent.finished" && event.type !== "agent.skipped") return null
    const path = blockOfBranch(event.path)
    const block = path === null ? undefined : this.#blocks.get(path)
    if (block === undefined) return null
    const isFailed = event.type === "agent.finished" && event.outcome === "failed"
    return this.#set({
      ...block,
      ended: block.ended + 1,
      failed: block.failed + (isFailed ? 1 : 0),
    })
  }

  /** Returns the blocks in the order of their first start. */
  blocks(): readonly BranchProgress[] {
    return [...this.#blocks.values()]
  }

  #set(block: BranchProgress): BranchProgress {
    this.#blocks.set(block.path, block)
    return block
  }
}

/**
 * Returns the path of the block whose branch an agent is, for example `fan` for `fan[12]/writer`.
 * Returns null for all other agents.
 */
const blockOfBranch = (path: string): string | null =>
  /^(.*)\[\d+\]\/[^/[\]@#]+$/.exec(path)?.[1] ?? null

/** Describes the progress of a block, for example `12 of 1000 branches ended, 3 failed`. */
export const describeBranches = ({ total, ended, failed }: BranchProgress): string =>
  `${ended} of ${total} ${total === 1 ? "branch" : "branches"} ended${failed === 0 ? "" : `, ${failed} failed`}`
