import type { ForEach } from "../../machines/contract/chart-machine.js"
import type { RunEffect } from "../behavior/behavior.js"
import { countOf } from "../conditions/count-of.js"
import { readCondition } from "../conditions/read-condition.js"

/** A possible number of list items with which a `forEach` block starts in the model checker. */
export interface ItemCount {
  /** Number of branches to explore. null if the block fails before a branch starts. */
  readonly branches: number | null
  /**
   * Maximum number of list items for which no branch is explored. The model checker does not
   * explore a branch for every item of a long list.
   */
  readonly leftOut: number
  readonly effects: readonly RunEffect[]
}

/**
 * Returns the possible numbers of list items at the start of a `forEach` block. `most` is the
 * maximum number of explored branches. If the `items` expression reads no session state keys, only
 * one number is possible.
 */
export function itemCounts(
  { items: source, maxItems }: ForEach,
  most: number,
  quorum: number | null,
): readonly ItemCount[] {
  const reached = (count: number): ItemCount =>
    quorum !== null && count > 0 && count < quorum ? refused : started(count)
  const started = (count: number): ItemCount => ({
    branches: Math.min(count, most),
    leftOut: Math.max(0, count - most),
    effects: [],
  })
  const refused: ItemCount = { branches: null, leftOut: 0, effects: [] }
  const condition = readCondition(source)
  if (condition?.constant === true) {
    const count = countOf(source, {})
    return [count === null || count > maxItems ? refused : reached(count)]
  }
  const counts = Array.from({ length: most + 1 }, (_, count) => count)
  const effect = (least: number | null, largest: number): RunEffect => ({
    type: "items",
    source,
    least,
    most: largest,
  })
  return [
    { ...refused, effects: [effect(null, maxItems)] },
    ...counts.map((count): ItemCount => {
      const largest = count === most ? maxItems : count
      const least = Math.max(count, count === most ? Math.min(quorum ?? 0, maxItems) : 0)
      return {
        ...(count === most ? { ...started(count), leftOut: maxItems - most } : reached(count)),
        effects: [effect(least, largest)],
      }
    }),
  ]
}
