import type { StepBudget } from "../limits/step-budget.js"
import { inOrder } from "./compare.js"
import type { Value } from "../values/values.js"

interface Keyed {
  readonly key: Value
  readonly value: Value
}

/**
 * Sorts values like Python's `sorted`. Equal items keep their order, and only `<` is used. For
 * fewer than 64 items, the function makes the same comparisons as Python, so that values without a
 * total order, such as nan and sets, get the same order.
 */
export function sortValues(
  items: readonly Value[],
  keyOf: ((value: Value) => Value) | null,
  reverse: boolean,
  budget: StepBudget,
): Value[] {
  const entries: Keyed[] = []
  for (const value of items) entries.push({ key: keyOf === null ? value : keyOf(value), value })
  // Reverse the list before and after the sort, so that equal items keep their order.
  if (reverse) entries.reverse()
  const isLess = (left: Keyed, right: Keyed): boolean => {
    budget.spend(0.1)
    return inOrder("<", left.key, right.key, budget)
  }
  if (entries.length < 64) insertionSort(entries, isLess)
  else entries.sort((left, right) => (isLess(left, right) ? -1 : isLess(right, left) ? 1 : 0))
  if (reverse) entries.reverse()
  return Array.from(entries, (entry) => entry.value)
}

function insertionSort(entries: Keyed[], isLess: (left: Keyed, right: Keyed) => boolean): void {
  for (let next = sortedRun(entries, isLess); next < entries.length; next++) {
    const entry = entries[next]!
    let low = 0
    let high = next
    while (low < high) {
      const middle = (low + high) >> 1
      if (isLess(entry, entries[middle]!)) high = middle
      else low = middle + 1
    }
    entries.copyWithin(low + 1, low, next)
    entries[low] = entry
  }
}

/**
 * Returns the number of items at the start of the list that are already sorted. If these items are
 * in descending order, reverses them.
 */
function sortedRun(entries: Keyed[], isLess: (left: Keyed, right: Keyed) => boolean): number {
  if (entries.length < 2) return entries.length
  const falls = isLess(entries[1]!, entries[0]!)
  let length = 2
  while (length < entries.length && isLess(entries[length]!, entries[length - 1]!) === falls)
    length++
  for (let low = 0, high = length - 1; falls && low < high; low++, high--) {
    const entry = entries[low]!
    entries[low] = entries[high]!
    entries[high] = entry
  }
  return length
}
