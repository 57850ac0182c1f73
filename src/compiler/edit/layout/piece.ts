import type { SourceNode } from "../source/source-node.js"
import type { Layout } from "./layout.js"
import { blockField, flowText, keyTextOf, unsupportedLayout } from "./layout.js"
import { indentAt, reindent } from "./lines.js"
import { entryIndent, rowOf } from "./splice.js"

/**
 * A list entry that an edit command inserts: an existing entry from another position in the text,
 * or a new object.
 */
export type ListPiece = MovedPiece | DraftPiece

/**
 * An existing list entry that is inserted at another position in the text. Its comments and its
 * layout are preserved.
 */
export interface MovedPiece {
  readonly kind: "moved"
  readonly text: string
  /** Indentation of the lines of `text`, as white space. */
  readonly indent: string
  /** Whether `text` consists of whole lines of a YAML block list, including the dash. */
  readonly isBlock: boolean
  readonly hasComments: boolean
  readonly data: unknown
}

/**
 * A new object to insert into a list. If `list` is set, the object has an additional field with the
 * name `list.name`. The value of this field is a list with the entries `list.pieces`.
 */
export interface DraftPiece {
  readonly kind: "draft"
  readonly fields: Readonly<Record<string, unknown>>
  readonly list: { readonly name: string; readonly pieces: readonly ListPiece[] } | null
}

/** Creates a new object to insert into a list. The object contains only `fields`. */
export const draft = (fields: Readonly<Record<string, unknown>>): DraftPiece => ({
  kind: "draft",
  fields,
  list: null,
})

/**
 * Returns the text and the layout of an existing list entry, so that the entry can be inserted at
 * another position.
 */
export function movedPiece(
  list: SourceNode,
  index: number,
  data: unknown,
  layout: Layout,
): MovedPiece {
  const { text } = layout.source
  const entry = list.entries[index]
  if (entry === undefined) throw new RangeError(`there is no entry ${index}`)
  if (list.isFlow)
    return {
      kind: "moved",
      text: text.slice(entry.from, entry.to),
      indent: indentAt(text, entry.from),
      isBlock: false,
      hasComments: false,
      data,
    }
  const row = rowOf(list, index, layout)
  const lines = text.slice(row.from, row.to)
  return {
    kind: "moved",
    text: lines,
    indent: entryIndent(list, layout),
    isBlock: true,
    // A `#` in a string also counts as a comment, so the result may be true without a comment.
    hasComments: /(^|\s)#/m.test(lines),
    data,
  }
}

/** Returns the lines of a list entry for a YAML block list. */
export function blockPiece(piece: ListPiece, indent: string, layout: Layout): string {
  const { lineEnd, dashIndent } = layout
  if (piece.kind === "moved") {
    if (piece.isBlock)
      return reindent(piece.text, { old: piece.indent, indent, isFirstKept: false })
    const body = reindent(piece.text, {
      old: piece.indent,
      indent: `${indent}  `,
      isFirstKept: true,
    })
    return `${indent}- ${body}${lineEnd}`
  }
  const inner = `${indent}  `
  const fields = Object.entries(piece.fields).map(([key, value]) =>
    blockField(key, value, layout, inner),
  )
  if (piece.list !== null) {
    const { name, pieces } = piece.list
    const items = pieces.map((own) => blockPiece(own, inner + dashIndent, layout))
    fields.push(`${inner}${keyTextOf(name, layout)}:${lineEnd}${items.join("")}`)
  }
  return `${indent}- ${fields.join("").slice(inner.length)}`
}

/**
 * Returns the text of an entry for a list in brackets, which is a JSON list or a YAML flow list.
 */
export function flowPiece(
  piece: ListPiece,
  indent: string,
  isSpread: boolean,
  layout: Layout,
): string {
  if (piece.kind === "moved") {
    if (!piece.isBlock)
      return reindent(piece.text, { old: piece.indent, indent, isFirstKept: true })
    if (piece.hasComments)
      throw unsupportedLayout(
        "An agent with comments cannot be moved into a list in brackets, which has no place for the comments",
      )
    return flowText(piece.data, layout, null)
  }
  const isLong =
    isSpread && layout.source.format === "json" && layout.hasLines && !isReference(piece)
  const { lineEnd, unit } = layout
  const inner = isLong ? indent + unit : indent
  const fields = Object.entries(piece.fields).map(
    ([key, value]) =>
      `${keyTextOf(key, layout)}: ${flowText(value, layout, isLong ? inner : null)}`,
  )
  if (piece.list !== null) {
    const { name, pieces } = piece.list
    const deeper = isLong ? inner + unit : indent
    const items = pieces.map((own) => flowPiece(own, deeper, isLong, layout))
    const list = isLong
      ? `[${lineEnd}${deeper}${items.join(`,${lineEnd}${deeper}`)}${lineEnd}${inner}]`
      : `[${items.join(", ")}]`
    fields.push(`${keyTextOf(name, layout)}: ${list}`)
  }
  return isLong
    ? `{${lineEnd}${inner}${fields.join(`,${lineEnd}${inner}`)}${lineEnd}${indent}}`
    : `{ ${fields.join(", ")} }`
}

/**
 * Returns whether a new object has only one field and therefore fits on one line, such as a
 * reference to an agent.
 */
const isReference = ({ fields, list }: DraftPiece): boolean =>
  list === null && Object.keys(fields).length === 1
