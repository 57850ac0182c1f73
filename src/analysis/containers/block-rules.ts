import type { FailurePolicy } from "../../machines/contract/chart-machine.js"
import type { Control, End, Variant } from "../behavior/behavior.js"
import type { ItemCount } from "./item-counts.js"
import type { BlockFlags } from "./silent-branches.js"

/**
 * A control state of a parallel block in the model checker. `branches` has one entry for each
 * branch. A number is the state of a running branch. `"new"` means not started, and `"over"` means
 * ended. `"silent"` is a branch without policy-relevant steps that has started and may already have
 * ended. `"absent"` means that the `forEach` list has no item for this branch.
 */
export interface ParallelControl extends Control, BlockFlags {
  readonly branches: readonly (number | "new" | "over" | "silent" | "absent")[]
  /**
   * Set if a branch has ended the block while other branches were still starting. After these
   * branches have started, the block ends with this result. null if the block continues.
   */
  readonly closing: End | null
}

/** The rules that determine when and how a parallel block ends. */
export interface BlockRules {
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  /** Number of branches that must succeed to complete the block. null if all branches must end. */
  readonly quorum: number | null
  /**
   * The numbers of items that the list of a `forEach` block can have. null if the block has no
   * `forEach`.
   */
  readonly items: readonly ItemCount[] | null
  /**
   * Returns the result of the block if the end of one branch ends the whole block, for example
   * after a failure. Returns null if the block continues. `end` is the result of the branch.
   */
  readonly endOf: (end: End) => End | null
  /**
   * Returns whether the end of a branch can cancel the other branches (setting `onEscalate`). `end`
   * is the result of the branch.
   */
  readonly canCancel: (end: End) => boolean
  /**
   * Returns how the block ends after all of its branches have ended. `flags` summarizes their
   * results, for example whether a branch failed.
   */
  readonly joined: (flags: BlockFlags) => Variant<ParallelControl>
}
