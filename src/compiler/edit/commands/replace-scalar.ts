import type { TextEdit } from "../contract/edit-command.js"
import { flowText, unsupportedLayout } from "../layout/layout.js"
import type { Layout } from "../layout/layout.js"
import { valueAt } from "../layout/splice-at.js"

/**
 * Returns the edit that replaces the string at a JSON pointer. The style of its quotes is
 * unchanged.
 */
export function replaceScalar(pointer: string, value: string, layout: Layout): TextEdit {
  const found = valueAt(layout, pointer)
  if (found === null || found.node.kind !== "scalar")
    throw unsupportedLayout(`The text does not contain the name at ${pointer}`)
  const { from, to } = found.node
  return { from, to, text: quotedLike(layout.source.text.slice(from, to), value, layout) }
}

/**
 * Returns the text of a string with the same quotes (single, double or none) as the text `before`.
 */
export function quotedLike(before: string, value: string, layout: Layout): string {
  if (before.startsWith("'")) return `'${value.replaceAll("'", "''")}'`
  return before.startsWith('"') ? JSON.stringify(value) : flowText(value, layout, null)
}
