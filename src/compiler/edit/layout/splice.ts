import type { TextEdit } from "../contract/edit-command.js"
import type { SourceNode } from "../source/source-node.js"
import type { Layout } from "./layout.js"
import { unsupportedLayout } from "./layout.js"
import { indentAt, lineStart, nextLine } from "./lines.js"

/** A new entry to insert into an object or list. */
export interface Insertion {
  /**
   * Index of the existing entry before which the new entry is inserted. If it equals the number of
   * entries, the new entry is inserted at the end.
   */
  readonly index: number
  /**
   * Returns the lines of this entry for a YAML block list or block object. Each line has a line
   * end.
   */
  readonly block: (indent: string) => string
  /**
   * Returns the text of this entry for a list or object in brackets (JSON or YAML flow style).
   * `indent` is the indentation of the entry's line. If `isSpread` is true, each entry of the list
   * or object has its own line.
   */
  readonly flow: (indent: string, isSpread: boolean) => string
}

/** The entries to remove from, and to insert into, one object or list. */
export interface Changes {
  /** Indexes of the entries to remove. */
  readonly removed: ReadonlySet<number>
  readonly inserted: readonly Insertion[]
}

/**
 * Returns the text range of an entry of a YAML block list or object. The range consists of whole
 * lines and includes the comments that belong to the entry.
 */
export function rowOf(
  { entries }: SourceNode,
  index: number,
  { source: { text } }: Layout,
): { readonly from: number; readonly to: number } {
  const entry = entries[index]
  if (entry === undefined) throw new RangeError(`there is no entry ${index}`)
  let from = lineStart(text, entry.from)
  const column = entry.from - from
  const before = entries[index - 1]
  const first = before === undefined ? 0 : nextLine(text, before.to)
  while (from > first) {
    const above = lineStart(text, from - 1)
    if (above < first || commentColumn(text, above) !== column) break
    from = above
  }
  let to = nextLine(text, entry.to)
  while (to < text.length && (commentColumn(text, to) ?? -1) > column) to = nextLine(text, to)
  return { from, to }
}

/**
 * Returns the column at which the comment of a line starts. Returns null if the line is not a
 * comment line.
 */
function commentColumn(text: string, start: number): number | null {
  let offset = start
  while (text[offset] === " " || text[offset] === "\t") offset++
  return text[offset] === "#" ? offset - start : null
}

/** Returns whether an entry is preceded by other text on its line, such as the dash of a list. */
const isShared = (text: string, from: number): boolean =>
  text.slice(lineStart(text, from), from).trim() !== ""

/** Returns the indentation of the entries of a YAML block list or object that is not empty. */
export function entryIndent({ entries }: SourceNode, { source: { text } }: Layout): string {
  const from = entries[0]?.from ?? 0
  return text.slice(lineStart(text, from), from).replaceAll(/[^\t]/g, " ")
}

/**
 * Returns the text edits that change the entries of a YAML block list or object. After the edits,
 * at least one entry must remain.
 */
export function spliceBlock(
  node: SourceNode,
  changes: Changes,
  layout: Layout,
): readonly TextEdit[] {
  const { entries } = node
  const { text } = layout.source
  const indent = entryIndent(node, layout)
  const edits: TextEdit[] = []
  const empty = hasEmptyLines(node, layout) ? layout.lineEnd : ""
  for (const index of changes.removed) edits.push(removal(node, index, changes, layout))
  for (const [index, inserted] of byIndex(changes.inserted)) {
    const last = entries.length - 1
    const next = entries[index]
    if (next !== undefined && isShared(text, next.from))
      throw unsupportedLayout("A new entry cannot be written before the first one of this line")
    const offset = index > last ? rowOf(node, last, layout).to : rowOf(node, index, layout).from
    const lines = inserted.map(({ block }) => block(indent)).join(empty)
    const isLast = index > last || isEndRemoved(node, index, changes)
    const [before, after] = [index > last ? empty : "", isLast ? "" : empty]
    edits.push({ from: offset, to: offset, text: before + lines + after })
  }
  return edits
}

/**
 * Groups the new entries by the index at which they are inserted. Within a group, their order is
 * unchanged.
 */
function byIndex(inserted: readonly Insertion[]): ReadonlyMap<number, readonly Insertion[]> {
  const groups = new Map<number, Insertion[]>()
  for (const insertion of inserted) {
    const group = groups.get(insertion.index)
    if (group === undefined) groups.set(insertion.index, [insertion])
    else group.push(insertion)
  }
  return groups
}

/** Returns whether the edits remove all entries from `index` to the end. */
const isEndRemoved = ({ entries }: SourceNode, index: number, { removed }: Changes): boolean =>
  entries.every((_, other) => other < index || removed.has(other))

/**
 * Returns whether the entries of a list are separated by empty lines. Only the first two entries
 * are checked.
 */
function hasEmptyLines(node: SourceNode, layout: Layout): boolean {
  if (node.kind !== "list" || node.entries.length < 2) return false
  const { text } = layout.source
  const gap = text.slice(rowOf(node, 0, layout).to, rowOf(node, 1, layout).from)
  return gap !== "" && gap.trim() === ""
}

/**
 * Returns the range of lines to remove for an entry. It consists of the entry's own lines and the
 * empty lines that separate it from an entry that remains.
 */
function rowToRemove(
  node: SourceNode,
  index: number,
  changes: Changes,
  layout: Layout,
): { readonly from: number; readonly to: number } {
  const { text } = layout.source
  const row = rowOf(node, index, layout)
  if (index + 1 < node.entries.length) {
    const next = rowOf(node, index + 1, layout).from
    return text.slice(row.to, next).trim() === "" ? { from: row.from, to: next } : row
  }
  const isReplaced = changes.inserted.some(
    (insertion) => insertion.index <= index && isEndRemoved(node, insertion.index, changes),
  )
  if (index === 0 || isReplaced || changes.removed.has(index - 1)) return row
  const before = rowOf(node, index - 1, layout).to
  return text.slice(before, row.from).trim() === "" ? { from: before, to: row.to } : row
}

function removal(node: SourceNode, index: number, changes: Changes, layout: Layout): TextEdit {
  const { text } = layout.source
  const row = rowOf(node, index, layout)
  const entry = node.entries[index]
  const next = node.entries[index + 1]
  if (entry === undefined || !isShared(text, entry.from))
    return { ...rowToRemove(node, index, changes, layout), text: "" }
  if (next === undefined || changes.removed.has(index + 1))
    throw unsupportedLayout("The first field of this entry is on the same line as its dash (-)")
  // The dash remains on its line, and the next field moves up to it.
  const nextRow = rowOf(node, index + 1, layout)
  const isBare = nextRow.from === lineStart(text, next.from) && nextRow.from === row.to
  if (isBare) return { from: entry.from, to: next.from, text: "" }
  const lineEnd = nextLine(text, entry.to)
  const end = text[lineEnd - 2] === "\r" ? lineEnd - 2 : lineEnd - 1
  return { from: entry.from, to: end, text: "" }
}

/**
 * Returns the text edits that change the entries of a list or object in brackets (JSON or YAML flow
 * style).
 */
export function spliceFlow(
  node: SourceNode,
  changes: Changes,
  layout: Layout,
): readonly TextEdit[] {
  const { removed, inserted } = changes
  const { entries, from, to } = node
  const { text, format } = layout.source
  if (removed.size === 0 && inserted.length === 0) return []
  if (format === "yaml" && hasComments(text, node))
    throw unsupportedLayout(
      "This list or object in brackets contains comments, which the edit would lose",
    )
  const style = flowStyle(node, layout)
  const write = ({ flow }: Insertion): string => flow(style.indent, style.isSpread)
  const kept = entries.flatMap((_, index) => (removed.has(index) ? [] : [index]))
  const firstKept = kept[0]
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined || firstKept === undefined) {
    const body = inserted.map(write).join(style.separator)
    if (body === "") return [{ from: from + 1, to: to - 1, text: "" }]
    return first === undefined || last === undefined
      ? [{ from: from + 1, to: to - 1, text: style.open + body + style.close }]
      : [{ from: first.from, to: last.to, text: body }]
  }
  const edits: TextEdit[] = []
  for (const index of removed) {
    const entry = entries[index]
    const [before, after] = [entries[index - 1], entries[index + 1]]
    if (entry === undefined) throw new RangeError(`there is no entry ${index}`)
    if (index > firstKept && before !== undefined)
      edits.push({ from: before.to, to: entry.to, text: "" })
    else edits.push({ from: entry.from, to: after?.from ?? entry.to, text: "" })
  }
  for (const insertion of inserted) {
    const before = entries[insertion.index - 1]
    const next = entries[insertion.index]
    if (insertion.index > firstKept && before !== undefined)
      edits.push({ from: before.to, to: before.to, text: style.separator + write(insertion) })
    else if (next !== undefined)
      edits.push({ from: next.from, to: next.from, text: write(insertion) + style.separator })
  }
  return edits
}

interface FlowStyle {
  readonly indent: string
  readonly isSpread: boolean
  readonly separator: string
  /** White space to insert after the opening bracket if the list or object was empty before. */
  readonly open: string
  readonly close: string
}

function flowStyle({ entries, from, kind }: SourceNode, layout: Layout): FlowStyle {
  const { source, lineEnd, unit, hasLines } = layout
  const { text, format } = source
  const [first, second] = entries
  if (first === undefined) {
    const outer = indentAt(text, from)
    const indent = outer + unit
    const isSpread = format === "json" && hasLines
    const space = kind === "map" ? " " : ""
    return isSpread
      ? {
          indent,
          isSpread,
          separator: `,${lineEnd}${indent}`,
          open: lineEnd + indent,
          close: lineEnd + outer,
        }
      : { indent: outer, isSpread, separator: ", ", open: space, close: space }
  }
  const indent = indentAt(text, first.from)
  const isSpread =
    second === undefined
      ? text.slice(from, first.from).includes("\n")
      : text.slice(first.to, second.from).includes("\n")
  const isTight = second !== undefined && second.from === first.to + 1
  const separator = isSpread ? `,${lineEnd}${indent}` : isTight ? "," : ", "
  return { indent, isSpread, separator, open: "", close: "" }
}

/** Returns whether a list or object in brackets contains comments between its entries. */
function hasComments(text: string, { entries, from, to }: SourceNode): boolean {
  let end = from + 1
  for (const entry of entries) {
    if (text.slice(end, entry.from).includes("#")) return true
    end = entry.to
  }
  return text.slice(end, to).includes("#")
}
