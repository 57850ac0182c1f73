import type { Node } from "jsonc-parser"
import { childPointer } from "../../document/json-pointer.js"

/** A key that occurs more than once in one JSON object. JSON parsers keep only the last value. */
export interface DuplicateKey {
  readonly key: string
  readonly pointer: string
  /**
   * Text offset of the first occurrence of the key. `second` is the offset of the second
   * occurrence.
   */
  readonly first: number
  readonly second: number
}

export function duplicateKeys(root: Node): readonly DuplicateKey[] {
  const found: DuplicateKey[] = []
  const pending: [node: Node, pointer: string][] = [[root, ""]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, pointer] = next
    if (node.type === "array")
      node.children?.forEach((child, index) => pending.push([child, childPointer(pointer, index)]))
    if (node.type !== "object") continue
    const firsts = new Map<string, number>()
    const reported = new Set<string>()
    for (const property of node.children ?? []) {
      const key = String(property.children?.[0]?.value)
      const value = property.children?.[1]
      const first = firsts.get(key)
      if (first === undefined) firsts.set(key, property.offset)
      else if (!reported.has(key)) {
        reported.add(key)
        found.push({ key, pointer: childPointer(pointer, key), first, second: property.offset })
      }
      if (value !== undefined) pending.push([value, childPointer(pointer, key)])
    }
  }
  return found.sort((one, other) => one.second - other.second)
}

/**
 * Returns the number of `key: value` pairs in a parsed JSON value. If the JSON text contains
 * duplicate keys, this number is smaller than the number of pairs in the text.
 */
export function countPairs(value: unknown): number {
  const pending = [value]
  let pairs = 0
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next !== "object" || next === null) continue
    const values: unknown[] = Object.values(next)
    if (!Array.isArray(next)) pairs += values.length
    for (const inner of values) if (typeof inner === "object") pending.push(inner)
  }
  return pairs
}
