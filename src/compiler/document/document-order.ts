import { pointerKeys } from "./json-pointer.js"

/** Where a pointer leads, as positions among the keys and entries on the way: what stands earlier compares as less. */
export type DocumentOrder = readonly number[]

/** Orders pointers as what they name stands in the config; a value comes before what is inside of it. */
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
      // The key is one of the value's own.
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
