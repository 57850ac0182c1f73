/** Most lists of a step have one entry: an empty array that is pushed to takes room for seventeen. */
export function appendItem<Item>(list: Item[] | null, item: Item): Item[] {
  if (list === null) return [item]
  list.push(item)
  return list
}
