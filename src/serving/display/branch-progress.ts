import type { RunEvent } from "../../machines/contract/run-event.js"

/**
 * Progress of a block, which is an agent with `forEach`, a loop in a task graph, or a LoopAgent.
 * The numbers count all branches, items or iterations of the block.
 */
export interface BranchProgress {
  readonly kind: "branch" | "item" | "iteration"
  readonly agent: string
  /** Path of the block, such as `pipeline/summarize_all`. */
  readonly path: string
  /**
   * Number of branches or items. Null for a LoopAgent, because the number of its iterations is not
   * known in advance.
   */
  readonly total: number | null
  /**
   * Number of branches, items or iterations that have ended, including those that failed or were
   * skipped.
   */
  readonly ended: number
  readonly failed: number
}

/**
 * Counts the branches of `forEach` agents, the items of loops in task graphs, and the iterations of
 * LoopAgents. Each event is processed only once.
 */
export class BranchCounter {
  readonly #blocks = new Map<string, BranchProgress>()
  /**
   * Number of running nodes for each started item of a loop in a task graph. The outer key is the
   * path of the loop, and the inner key is the index of the item.
   */
  readonly #openNodes = new Map<string, Map<string, number>>()

  /**
   * Processes the next event of the run. Returns the progress of the block that the event has
   * changed, or null if it has not changed a block.
   */
  apply(event: RunEvent): BranchProgress | null {
    const { agent, path } = event
    switch (event.type) {
      case "parallel.expanded":
        return this.#set({ ...started, kind: "branch", agent, path, total: event.count })
      case "forEach.expanded":
        return this.#set({ ...started, kind: "item", agent, path, total: event.count })
      case "loop.iterated":
        return this.#set({
          ...started,
          kind: "iteration",
          agent,
          path,
          total: null,
          ended: event.iteration,
        })
      case "loop.ended":
        return this.#set({
          ...started,
          kind: "iteration",
          agent,
          path,
          total: event.iterations,
          ended: event.iterations,
        })
      case "agent.finished":
      case "agent.skipped":
        return this.#endBranch(path, event.type === "agent.finished" && event.outcome === "failed")
      case "node.started":
        return this.#countNode(path, 1)
      case "node.finished": {
        const loop = this.#blocks.get(path)
        return loop === undefined ? this.#countNode(path, -1) : this.#endLoop(loop, event.result)
      }
      default:
        return null
    }
  }

  /**
   * Returns the progress of all blocks, in the order of their first start. If a block is inside the
   * branches of another block, its instances share one entry. The path of this entry contains
   * `[*]`.
   */
  blocks(): readonly BranchProgress[] {
    const sums = new Map<string, BranchProgress>()
    for (const block of this.#blocks.values()) {
      const path = block.path.replaceAll(/\[\d+\](?:~\d+)?/g, "[*]")
      const sum = sums.get(path)
      sums.set(path, sum === undefined ? block : { ...sumOf(sum, block), path })
    }
    return [...sums.values()]
  }

  #endBranch(path: string, isFailed: boolean): BranchProgress | null {
    const block = this.#blocks.get(branchOf(path)?.block ?? "")
    return block === undefined
      ? null
      : this.#set({
          ...block,
          ended: block.ended + 1,
          failed: block.failed + (isFailed ? 1 : 0),
        })
  }

  /**
   * Adds `change` to the number of running nodes of a loop item. The item counts as ended while
   * this number is 0. Dependent nodes start in the same step in which a node ends, so they make the
   * number positive again.
   */
  #countNode(path: string, change: 1 | -1): BranchProgress | null {
    const item = branchOf(path)
    const loop = this.#blocks.get(item?.block ?? "")
    if (item === null || loop === undefined) return null
    const items = this.#openNodes.get(loop.path) ?? new Map<string, number>()
    this.#openNodes.set(loop.path, items)
    const before = items.get(item.index)
    const open = (before ?? 0) + change
    items.set(item.index, open)
    const ended = (open === 0 ? 1 : 0) - (before === 0 ? 1 : 0)
    return this.#set({ ...loop, ended: loop.ended + ended })
  }

  /** Ends a loop of a task graph. Reads the number of failed items from the result of the loop. */
  #endLoop(loop: BranchProgress, result: unknown): BranchProgress {
    this.#openNodes.delete(loop.path)
    // A loop without a result was stopped. Otherwise its result has this form.
    const { data } = (result ?? {}) as { readonly data?: { readonly failedItems?: unknown } | null }
    const failed = Array.isArray(data?.failedItems) ? data.failedItems.length : loop.failed
    return this.#set({ ...loop, ended: loop.total ?? loop.ended, failed })
  }

  #set(block: BranchProgress): BranchProgress {
    this.#blocks.set(block.path, block)
    return block
  }
}

/** Adds the counts of two instances of the same block, which the display combines in one entry. */
const sumOf = (one: BranchProgress, next: BranchProgress): BranchProgress => ({
  ...one,
  total: one.total === null || next.total === null ? null : one.total + next.total,
  ended: one.ended + next.ended,
  failed: one.failed + next.failed,
})

const started = { ended: 0, failed: 0 } as const

/**
 * Returns the path of the block that contains an agent or node, and the index of the branch. For
 * `fan[12]/writer`, the block is `fan` and the index is `12`. Returns null if no block contains the
 * path.
 */
function branchOf(path: string): { readonly block: string; readonly index: string } | null {
  const [, block, index] = /^(.*)\[(\d+)\](?:~\d+)?\/[^/[\]@#]*$/.exec(path) ?? []
  return block === undefined || index === undefined ? null : { block, index }
}

const words = {
  branch: ["branch", "branches"],
  item: ["item", "items"],
  iteration: ["iteration", "iterations"],
} as const

/** Describes the progress of a block, for example `12 of 1000 branches ended, 3 failed`. */
export function describeBranches({ kind, total, ended, failed }: BranchProgress): string {
  const [one, many] = words[kind]
  const count =
    total === null
      ? `${ended} ${ended === 1 ? one : many} ended`
      : `${ended} of ${total} ${total === 1 ? one : many} ended`
  return `${count}${failed === 0 ? "" : `, ${failed} failed`}`
}
