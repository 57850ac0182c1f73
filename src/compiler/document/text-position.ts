import type { Node } from "jsonc-parser"
import type { TextPosition } from "./config-document.js"
import { pointerKeys } from "./json-pointer.js"

/**
 * Returns a function that converts offsets in a text to lines and columns. The text is scanned
 * once, when the first position is requested.
 */
export function positionsIn(text: string): (offset: number) => TextPosition {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** Returns the offsets at which lines start. A line ends with LF, CR LF or CR. */
function lineStarts(text: string): number[] {
  const starts = [0]
  for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length)
  return starts
}

/**
 * Returns the offset of the value at a JSON pointer, or the offset of its key. If there is no such
 * value, returns the offset of the innermost existing value on the path to it.
 */
export function offsetOf(root: Node, pointer: string, part: "key" | "value"): number {
  let node = root
  let property: Node | undefined
  for (const key of pointerKeys(pointer)) {
    property = node.type === "object" ? propertyOf(node, key) : undefined
    const next =
      property?.children?.[1] ?? (node.type === "array" ? node.children?.[Number(key)] : undefined)
    if (next === undefined) return node.offset
    node = next
  }
  return part === "key" && property !== undefined ? property.offset : node.offset
}

/**
 * Returns the last property with this key. `JSON.parse` also uses the last value of a duplicate
 * key.
 */
const propertyOf = (object: Node, key: string): Node | undefined =>
  object.children?.findLast(({ children }) => children?.[0]?.value === key)
