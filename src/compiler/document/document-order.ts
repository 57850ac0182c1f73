import { pointerKeys } from "./json-pointer.js"

/**
 * The position of a value in a document, for sorting. The list contains the index of each key or
 * list entry on the path to the value, such as `[1, 0, 3]`.
 */
export type DocumentOrder = readonly number[]

/**
 * Returns a function that converts the JSON pointer of a value to a sort key. The order of the sort
 * keys is the order of the values in the document. A value comes before the values inside it.
 */
export function documentOrder(root: unknown): (pointer: string) => DocumentOrder {
  const positions = new Map<object, ReadonlyMap<string, number>>()
  const positionsIn = (value: object) => {
    const known =
      positions.get(value) ?? new Map(Object.keys(value).map((key, index) => [key, index]))
    positions.set(value, known)
    return known
  }
  return (pointer) => {
    const order: number[] = []
    let value = root
    for (const key of pointerKeys(pointer)) {
      const position =
        typeof value === "object" && value !== null ? positionsIn(value).get(key) : undefined
      if (position === undefined) break
      order.push(position)
      // `key` is an own property of the value, because `positionsIn` contains it.
      value = (value as Readonly<Record<string, unknown>>)[key]
    }
    return order
  }
}

export function compareOrder(one: DocumentOrder, other: DocumentOrder): number {
  const shared = Math.min(one.length, other.length)
  for (let index = 0; index < shared; index++) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}
