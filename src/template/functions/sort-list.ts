import type { Callback } from "./function-costs.js"
import type { TemplateMeter } from "../limits/template-meter.js"

/**
 * Sorts a list with merge sort. The comparator returns true if its first argument belongs after its
 * second. This function replaces JSONata's merge sort, which is slower because it copies the
 * remaining list for each entry.
 */
export async function sortList(
  list: readonly unknown[],
  comparator: Callback | undefined,
  meter: TemplateMeter,
): Promise<readonly unknown[]> {
  const belongsBehind = async (left: unknown, right: unknown): Promise<boolean> => {
    // A list without a comparator contains only strings or only numbers.
    if (comparator === undefined) return (left as string) > (right as string)
    return Boolean(await comparator.apply(undefined, [left, right]))
  }
  const merge = async (
    left: readonly unknown[],
    right: readonly unknown[],
  ): Promise<readonly unknown[]> => {
    const merged: unknown[] = []
    let fromLeft = 0
    let fromRight = 0
    while (fromLeft < left.length && fromRight < right.length) {
      meter.spend(1 / 2)
      const rest = meter.pauseIfDue()
      if (rest !== undefined) await rest
      const behind = await belongsBehind(left[fromLeft], right[fromRight])
      merged.push(behind ? right[fromRight++] : left[fromLeft++])
    }
    return [...merged, ...left.slice(fromLeft), ...right.slice(fromRight)]
  }
  const sort = async (part: readonly unknown[]): Promise<readonly unknown[]> => {
    if (part.length <= 1) return part
    const middle = Math.floor(part.length / 2)
    return merge(await sort(part.slice(0, middle)), await sort(part.slice(middle)))
  }
  return list.length <= 1 ? list : sort(list)
}
