/** Returns a number from 0 to 2^32 - 1 that depends on the whole text. It decides the behavior of random services. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Returns one of the items, selected by a text. */
export const chosenBy = <Item>(text: string, items: readonly [Item, ...Item[]]): Item =>
  items[hashOf(text) % items.length] ?? items[0]
