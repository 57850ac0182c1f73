/**
 * Appends an item to a list and returns the list. If `list` is null, returns a new list with the
 * item. Most lists get only one item, and `[item]` uses less memory than an empty array with
 * `push`.
 */
export function appendItem<Item>(list: Item[] | null, item: Item): Item[] {
  if (list === null) return [item]
  list.push(item)
  return list
}
