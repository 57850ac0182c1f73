/**
 * Removes items from the start of a list until `isOld` returns false for an item. Returns the
 * number of removed items.
 */
export function dropOldest<Item>(items: Item[], isOld: (item: Item) => boolean): number {
  const kept = items.findIndex((item) => !isOld(item))
  const count = kept === -1 ? items.length : kept
  items.splice(0, count)
  return count
}
