import { childPointer, pointerKeys } from "../../document/json-pointer.js"
import type { TextEdit } from "../contract/edit-command.js"
import { entryOf } from "../source/source-node.js"
import type { SourceNode } from "../source/source-node.js"
import type { Layout } from "./layout.js"
import { blockField, flowText, unsupportedLayout } from "./layout.js"
import { indentAt, nextLine } from "./lines.js"
import { entryIndent } from "./splice.js"
import type { FoundValue } from "./splice-at.js"
import { fieldInsertion, itemInsertion, parentOf, spliceValue, valueAt } from "./splice-at.js"

/**
 * Options for the functions that return text edits for a changed value. `layout` contains the text
 * to change.
 */
export interface UpdateOptions {
  readonly layout: Layout
  /** Returns the parsed value at a JSON pointer in the text. */
  readonly dataAt: (pointer: string) => unknown
  /**
   * JSON pointer of an existing field. New fields of the same object are inserted before this
   * field.
   */
  readonly before: string
}

/**
 * Returns the text edits that set the value at a JSON pointer. Only the parts of the text that
 * differ from the new value are replaced.
 */
export function setValue(
  pointer: string,
  value: unknown,
  options: UpdateOptions,
): readonly TextEdit[] {
  const found = valueAt(options.layout, pointer)
  if (found !== null) return updated(found, pointer, value, options)
  const outer = parentOf(pointer)
  const key = pointerKeys(pointer).at(-1) ?? ""
  const parent = valueAt(options.layout, outer)
  // If the enclosing object is missing, it is created with this field.
  if (parent === null || (parent.node.kind === "scalar" && parent.parent !== null))
    return setValue(outer, { [key]: value }, options)
  return added(parent, key, value, outer, options)
}

function added(
  parent: FoundValue,
  key: string,
  value: unknown,
  outer: string,
  { layout, before }: UpdateOptions,
): readonly TextEdit[] {
  const { node } = parent
  if (node.kind === "list") {
    const insertion = itemInsertion(node.entries.length, value, layout)
    return spliceValue(parent, { removed: new Set(), inserted: [insertion] }, layout)
  }
  const last = pointerKeys(before).at(-1)
  const index =
    parentOf(before) === outer ? node.entries.findIndex((entry) => entry.key === last) : -1
  const position = index > 0 ? index : node.entries.length
  const insertion = fieldInsertion(position, key, value, layout)
  return spliceValue(parent, { removed: new Set(), inserted: [insertion] }, layout)
}

/**
 * Returns the text edits that remove the value at a JSON pointer, and the enclosing objects that
 * would become empty. The object at the pointer `root` is never removed.
 */
export function removeValue(
  pointer: string,
  root: string,
  options: UpdateOptions,
): readonly TextEdit[] {
  const found = valueAt(options.layout, pointer)
  if (found === null || found.entry === null || found.parent === null) return []
  const { entry, parent } = found
  const outer = parentOf(pointer)
  if (parent.entries.length === 1 && parent.kind === "map" && outer !== root)
    return removeValue(outer, root, options)
  const owner = valueAt(options.layout, outer)
  if (owner === null) return []
  requireUnused(found.node, options.layout)
  const removed = new Set([parent.entries.indexOf(entry)])
  return spliceValue(owner, { removed, inserted: [] }, options.layout)
}

/** Throws EditRefused if a value contains a YAML anchor that an alias uses. */
function requireUnused({ from, to, hasProperties }: SourceNode, { source }: Layout): void {
  const { anchors } = source
  if (anchors.length === 0) return
  const inside = anchors.filter(
    ({ offset, isAlias }) =>
      !isAlias && offset >= from && (offset < to || (hasProperties && offset === from)),
  )
  for (const { name } of inside)
    if (anchors.some((anchor) => anchor.isAlias && anchor.name === name))
      throw unsupportedLayout(
        `The value has the anchor "${name}", which other parts of the file use`,
      )
}

function updated(
  found: FoundValue,
  pointer: string,
  value: unknown,
  options: UpdateOptions,
): readonly TextEdit[] {
  const { node } = found
  if (sameData(options.dataAt(pointer), value)) return []
  if (
    node.kind === "map" &&
    isObject(value) &&
    node.entries.length > 0 &&
    Object.keys(value).length > 0
  )
    return updatedMap(found, pointer, value, options)
  if (node.kind === "list" && Array.isArray(value) && node.entries.length > 0 && value.length > 0)
    return updatedList(found, pointer, value, options)
  requireUnused(node, options.layout)
  return replaced(found, value, options.layout)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function updatedMap(
  found: FoundValue,
  pointer: string,
  value: Readonly<Record<string, unknown>>,
  options: UpdateOptions,
): readonly TextEdit[] {
  const { entries } = found.node
  const removed = new Set<number>()
  const edits: TextEdit[] = []
  entries.forEach(({ key }, index) => {
    if (key === null || !Object.hasOwn(value, key)) removed.add(index)
    else edits.push(...setValue(childPointer(pointer, key), value[key], options))
  })
  const inserted = Object.keys(value)
    .filter((key) => entryOf(found.node, key) === undefined)
    .map((key) => fieldInsertion(entries.length, key, value[key], options.layout))
  if (removed.size === entries.length) {
    requireUnused(found.node, options.layout)
    return replaced(found, value, options.layout)
  }
  return [...edits, ...spliceValue(found, { removed, inserted }, options.layout)]
}

function updatedList(
  found: FoundValue,
  pointer: string,
  value: readonly unknown[],
  options: UpdateOptions,
): readonly TextEdit[] {
  const { entries } = found.node
  const before = entries.map((_, index) => options.dataAt(childPointer(pointer, index)))
  const shortest = Math.min(before.length, value.length)
  let head = 0
  while (head < shortest && sameData(before[head], value[head])) head++
  let tail = 0
  while (
    tail < shortest - head &&
    sameData(before[before.length - 1 - tail], value[value.length - 1 - tail])
  )
    tail++
  const changed = Math.min(before.length, value.length) - head - tail
  const edits = Array.from({ length: changed }, (_, step) => head + step).flatMap((index) =>
    setValue(childPointer(pointer, index), value[index], options),
  )
  const removed = new Set<number>()
  for (let index = head + changed; index < before.length - tail; index++) removed.add(index)
  const inserted = value
    .slice(head + changed, value.length - tail)
    .map((item) => itemInsertion(head + changed, item, options.layout))
  return [...edits, ...spliceValue(found, { removed, inserted }, options.layout)]
}

/**
 * Returns the text edits that replace a value. The new value is written in the style of the
 * enclosing object or list.
 */
function replaced(
  { node, entry, parent }: FoundValue,
  value: unknown,
  layout: Layout,
): readonly TextEdit[] {
  const { text, format } = layout.source
  if (entry === null || parent === null)
    throw unsupportedLayout("The whole file cannot be replaced")
  const { from, to } = node
  if (format === "json" || parent.isFlow || node.hasProperties) {
    const indent = format === "json" && layout.hasLines ? indentAt(text, from) : null
    const space = from === entry.valueFrom && text[from - 1] === ":" ? " " : ""
    return [{ from, to, text: space + flowText(value, layout, indent) }]
  }
  const indent = entryIndent(parent, layout)
  // The edit does not change the key or the dash, so only the text after the colon or the dash is
  // used.
  const isField = entry.key !== null
  const lines = isField
    ? blockField("k", value, layout, indent)
    : itemInsertion(0, value, layout).block(indent)
  const body = lines.slice(lines.indexOf(isField ? ":" : "-") + 1).replace(/\r?\n$/, "")
  const end = nextLine(text, to)
  const after = text.slice(to, end).trimEnd()
  const comment = commentIn(text.slice(entry.valueFrom, to)) + after
  const [first = "", ...others] = body.split("\n")
  const head = `${first.trimEnd()}${comment}`
  const isCr = others.length > 0 && first.endsWith("\r")
  return [
    {
      from: entry.valueFrom,
      to: to + after.length,
      text: [`${head}${isCr ? "\r" : ""}`, ...others].join("\n"),
    },
  ]
}

/**
 * Returns the comment after a field's colon if the value starts on a later line, as in
 * `key: # comment`. The result includes the space before the comment.
 */
const commentIn = (value: string): string =>
  /^[ \t]*(?:[|>][-+\d]*)?([ \t]+#[^\r\n]*)\r?\n/.exec(value)?.[1] ?? ""

/** Returns whether two JSON values are equal. The order of fields matters. */
const sameData = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
