/** Removes the first items of a list for which `isOld` is true. Returns their number. */
export function dropOldest<Item>(items: Item[], isOld: (item: Item) => boolean): number {
  const kept = items.findIndex((item) => !isOld(item))
  const count = kept === -1 ? items.length : kept
  items.splice(0, count)
  return count
}
