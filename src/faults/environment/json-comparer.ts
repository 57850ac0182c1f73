import { sameJson } from "../../runtime/history/equal-json.js"

export type JsonComparer = (one: unknown, other: unknown) => boolean

/**
 * Returns a function that compares JSON values of two runs. The function caches pairs of equal list
 * items, because each request in a conversation repeats all earlier messages.
 */
export function jsonComparer(): JsonComparer {
  /** Maps list items of the first run to equal items of the second run. */
  const equal = new Map<unknown, unknown>()
  const sameItem = (one: unknown, other: unknown): boolean => {
    if (one === other) return true
    if (typeof one !== "object" || one === null) return sameJson(one, other)
    if (equal.get(one) === other) return true
    const isSame = same(one, other)
    if (isSame) equal.set(one, other)
    return isSame
  }
  const same = (one: unknown, other: unknown): boolean => {
    if (!Array.isArray(one) || !Array.isArray(other)) return sameJson(one, other)
    if (one.length !== other.length) return false
    for (let index = 0; index < one.length; index++)
      if (!sameItem(one[index], other[index])) return false
    return true
  }
  return same
}
