import type { FailurePolicy } from "../../machines/contract/chart-machine.js"
import type { Control, End, Variant } from "../behavior/behavior.js"
import type { ItemCount } from "./item-counts.js"
import type { BlockFlags } from "./quiet-branches.js"

/**
 * A control state of a parallel block in the model checker, with one entry for each branch. A
 * number is the state of a running branch. `"new"` means not started, and `"over"` means ended.
 * `"quiet"` means started and possibly ended, for a branch without steps that are relevant to the
 * policy. `"absent"` means that the `forEach` list has no item for this branch.
 */
export interface ParallelControl extends Control, BlockFlags {
  readonly branches: readonly (number | "new" | "over" | "quiet" | "absent")[]
  /**
   * How the block ends as soon as its remaining branches have started. Set if a branch ended the
   * block while other branches were still starting. null if the block continues.
   */
  readonly closing: End | null
}

/** The rules that determine when and how a parallel block ends. */
export interface BlockRules {
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  /** Number of branches that must succeed to complete the block. null if all branches must end. */
  readonly quorum: number | null
  /** The possible numbers of items of a `forEach` block. null if the block has no `forEach`. */
  readonly items: readonly ItemCount[] | null
  /**
   * Returns how the block ends after a branch has ended with `end`. Returns null if the block
   * continues.
   */
  readonly endOf: (end: End) => End | null
  /** Returns whether a branch that ends with `end` can cancel the other branches (`onEscalate`). */
  readonly canCancel: (end: End) => boolean
  /** Returns how the block continues or ends after all of its branches have ended. */
  readonly joined: (flags: BlockFlags) => Variant<ParallelControl>
}
