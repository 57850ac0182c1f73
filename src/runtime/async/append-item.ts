/**
 * Appends an item to a list that may not exist yet. Most of these lists have one item, and `[item]`
 * needs less memory than an empty array and a push.
 */
export function appendItem<Item>(list: Item[] | null, item: Item): Item[] {
  if (list === null) return [item]
  list.push(item)
  return list
}
