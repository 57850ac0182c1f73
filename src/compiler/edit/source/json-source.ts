import type { Node } from "jsonc-parser"
import { parseTree } from "jsonc-parser"
import type { SourceEntry, SourceNode, SourceText } from "./source-node.js"

/**
 * Finds the text ranges of the values in a valid JSON text. Returns null if the text contains no
 * value.
 */
export function jsonSource(text: string): SourceText | null {
  const root = parseTree(text)
  return root === undefined ? null : { format: "json", text, root: nodeOf(root), anchors: [] }
}

function nodeOf({ type, offset, length, children = [] }: Node): SourceNode {
  const [from, to] = [offset, offset + length]
  if (type === "object")
    return { ...flow, kind: "map", from, to, entries: children.flatMap((child) => fieldOf(child)) }
  if (type === "array")
    return { ...flow, kind: "list", from, to, entries: children.map((child) => itemOf(child)) }
  return { ...flow, kind: "scalar", from, to, entries: [] }
}

const flow = { isFlow: true, hasProperties: false } as const

function fieldOf({ children: [key, value] = [], colonOffset = 0 }: Node): readonly SourceEntry[] {
  if (key === undefined || value === undefined) return []
  const node = nodeOf(value)
  const keyRange = { from: key.offset, to: key.offset + key.length }
  return [
    {
      key: String(key.value),
      keyRange,
      from: keyRange.from,
      to: node.to,
      valueFrom: colonOffset + 1,
      value: node,
    },
  ]
}

function itemOf(child: Node): SourceEntry {
  const value = nodeOf(child)
  const { from, to } = value
  return { key: null, keyRange: { from, to: from }, from, to, valueFrom: from, value }
}
