import type { TextEdit } from "../contract/edit-command.js"
import type { SourceEntry, SourceNode } from "../source/source-node.js"
import { entriesTo } from "../source/source-node.js"
import { childPointer, pointerKeys } from "../../document/json-pointer.js"
import type { Layout } from "./layout.js"
import { blockField, flowText, keyTextOf, unsupportedLayout } from "./layout.js"
import { indentAt, nextLine, reindent } from "./lines.js"
import type { ListPiece } from "./piece.js"
import { blockPiece, flowPiece } from "./piece.js"
import type { Changes, Insertion } from "./splice.js"
import { entryIndent, spliceBlock, spliceFlow } from "./splice.js"

/**
 * The changes of a list: the indexes of the entries to remove, and the new entries with the indexes
 * at which they are inserted.
 */
export interface ListChanges {
  readonly removed: readonly number[]
  readonly inserted: readonly { readonly index: number; readonly piece: ListPiece }[]
}

/** A value in the text, with the field or list entry that contains it. */
export interface FoundValue {
  readonly node: SourceNode
  /** The field or list entry that contains the value. Null if the value is the whole document. */
  readonly entry: SourceEntry | null
  /** The object or list that contains the value. Null if the value is the whole document. */
  readonly parent: SourceNode | null
}

/**
 * Returns the value at a JSON pointer with its range in the text. Returns null if the text does not
 * contain the value.
 */
export function valueAt({ source: { root } }: Layout, pointer: string): FoundValue | null {
  const entries = entriesTo(root, pointer)
  if (entries === undefined) return null
  const entry = entries.at(-1)
  if (entry === undefined) return { node: root, entry: null, parent: null }
  return { node: entry.value, entry, parent: entries.at(-2)?.value ?? root }
}

/**
 * Returns the text edits that change the list at a JSON pointer. If the list is missing, it is
 * created.
 */
export function spliceList(
  pointer: string,
  { removed, inserted }: ListChanges,
  layout: Layout,
): readonly TextEdit[] {
  const found = valueAt(layout, pointer)
  const changes: Changes = {
    removed: new Set(removed),
    inserted: inserted.map(({ index, piece }) => insertionOf(index, piece, layout)),
  }
  if (found === null) return insertList(pointer, changes, layout)
  return spliceValue(found, changes, layout)
}

const insertionOf = (index: number, piece: ListPiece, layout: Layout): Insertion => ({
  index,
  block: (indent) => blockPiece(piece, indent, layout),
  flow: (indent, isSpread) => flowPiece(piece, indent, isSpread, layout),
})

/** Returns the text edits that remove and insert entries of an object or list. */
export function spliceValue(
  found: FoundValue,
  changes: Changes,
  layout: Layout,
): readonly TextEdit[] {
  const { node, entry, parent } = found
  if (node.kind === "alias")
    throw unsupportedLayout("This value is an alias (*) of a value elsewhere in the file")
  if (node.kind === "scalar" || (node.isFlow && node.entries.length === 0))
    return fillEmpty(found, changes, layout)
  if (node.isFlow) return spliceFlow(node, changes, layout)
  if (changes.removed.size < node.entries.length || changes.inserted.length > 0)
    return spliceBlock(node, changes, layout)
  if (entry === null || parent === null || node.hasProperties)
    throw unsupportedLayout("This value cannot be left empty")
  const empty = node.kind === "list" ? " []" : " {}"
  return [
    { from: entry.valueFrom, to: entry.valueFrom, text: empty },
    ...spliceBlock(node, changes, layout),
  ]
}

/** Returns the text edits that write the first entries of an empty object or list. */
function fillEmpty(
  { node, entry, parent }: FoundValue,
  { inserted }: Changes,
  layout: Layout,
): readonly TextEdit[] {
  const { text, format } = layout.source
  if (inserted.length === 0) return []
  if (format === "json" || parent === null || parent.isFlow || entry?.key == null) {
    if (node.kind !== "scalar") return spliceFlow(node, { removed: new Set(), inserted }, layout)
    const indent = indentAt(text, node.from)
    const body = inserted.map(({ flow }) => flow(indent, false)).join(", ")
    return [
      {
        from: node.from,
        to: node.to,
        text: `${node.from === entry?.valueFrom ? " " : ""}[${body}]`,
      },
    ]
  }
  if (node.hasProperties) throw unsupportedLayout("This value has an anchor or a tag")
  const step = node.kind === "map" ? layout.unit : layout.dashIndent
  const indent = entryIndent(parent, layout) + step
  const end = nextLine(text, node.to)
  return [
    { from: entry.valueFrom, to: node.to, text: "" },
    { from: end, to: end, text: inserted.map(({ block }) => block(indent)).join("") },
  ]
}

function insertList(pointer: string, changes: Changes, layout: Layout): readonly TextEdit[] {
  const keys = pointerKeys(pointer)
  const name = keys.at(-1) ?? ""
  const outer = valueAt(layout, parentOf(pointer))
  if (outer === null || outer.node.kind !== "map")
    throw unsupportedLayout("The agent is defined by an alias (*) elsewhere in the file")
  const { lineEnd, unit, dashIndent } = layout
  const { inserted } = changes
  const field: Insertion = {
    index: outer.node.entries.length,
    block: (indent) =>
      `${indent}${keyTextOf(name, layout)}:${lineEnd}${inserted.map(({ block }) => block(indent + dashIndent)).join("")}`,
    flow: (indent, isSpread) => {
      const inner = isSpread ? indent + unit : indent
      const items = inserted.map(({ flow }) => flow(inner, isSpread))
      const list = isSpread
        ? `[${lineEnd}${inner}${items.join(`,${lineEnd}${inner}`)}${lineEnd}${indent}]`
        : `[${items.join(", ")}]`
      return `${keyTextOf(name, layout)}: ${list}`
    },
  }
  return spliceValue(outer, { removed: new Set(), inserted: [field] }, layout)
}

/** Removes the last key of a JSON pointer. The result refers to the enclosing object or list. */
export const parentOf = (pointer: string): string =>
  pointerKeys(pointer).slice(0, -1).reduce(childPointer, "")

/** Returns an insertion that adds a field to an object at an index. */
export const fieldInsertion = (
  index: number,
  key: string,
  value: unknown,
  layout: Layout,
): Insertion => ({
  index,
  block: (indent) => blockField(key, value, layout, indent),
  flow: (indent, isSpread) =>
    `${keyTextOf(key, layout)}: ${flowText(value, layout, isSpread && layout.source.format === "json" ? indent : null)}`,
})

/** Returns an insertion that adds a value to a list at an index. */
export const itemInsertion = (index: number, value: unknown, layout: Layout): Insertion => ({
  index,
  block: (indent) => {
    const lines = blockField("k", [value], layout, "")
    const item = lines.slice(nextLine(lines, 0))
    const old = indentAt(item, item.indexOf("-"))
    return reindent(item, { old, indent, isFirstKept: false })
  },
  flow: (indent, isSpread) =>
    flowText(value, layout, isSpread && layout.source.format === "json" ? indent : null),
})
