import { getLocation, parse as parseJson } from "jsonc-parser"
import { isMap, isPair, isScalar, isSeq, parseDocument, visit } from "yaml"
import type { Document, Pair } from "yaml"

export type ConfigPath = readonly (string | number)[]

/** The location of the cursor in a config. The text may be incomplete or have syntax errors. */
export interface TextLocation {
  /** Whether the cursor is at a field name (`key`) or at a value. */
  readonly kind: "key" | "value"
  /**
   * For a key, the path of the object that contains it. For a value, the path of the value, for
   * example `["agents", 0, "model"]`.
   */
  readonly path: ConfigPath
  /** The field name at the cursor. Empty if the cursor is at a value. */
  readonly key: string
  /** Offset of the start of the word at the cursor, without quotes. */
  readonly from: number
  /** Offset of the end of the word at the cursor, without quotes. */
  readonly to: number
  /** The parsed config. Parts with syntax errors are missing. */
  readonly config: unknown
}

const wordBefore = /[\w$.-]*$/
const wordAfter = /^[\w$.-]*/

const wordAt = (text: string, offset: number): { readonly from: number; readonly to: number } => ({
  from: offset - (wordBefore.exec(text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0),
  to: offset + (wordAfter.exec(text.slice(offset, offset + 200))?.[0].length ?? 0),
})

/**
 * Returns the location of an offset in a JSON text. Returns null if the cursor is not inside the
 * config.
 */
export function locationInJson(text: string, offset: number): TextLocation | null {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset)
  const config: unknown = parseJson(text)
  const isInNode =
    previousNode !== undefined &&
    offset > previousNode.offset &&
    offset < previousNode.offset + previousNode.length
  const range =
    isInNode && previousNode.type === "string"
      ? { from: previousNode.offset + 1, to: previousNode.offset + previousNode.length - 1 }
      : wordAt(text, offset)
  const key = path.at(-1)
  // In an empty object, the last step of the path is an empty key.
  if (typeof key === "string" && (isAtPropertyKey || key === ""))
    return { kind: "key", path: path.slice(0, -1), key, ...range, config }
  return path.length === 0 ? null : { kind: "value", path, key: "", ...range, config }
}

/**
 * Placeholder that replaces the word at the cursor in a YAML text. The location of the cursor is
 * then found by searching for the placeholder in the parsed text.
 */
const mark = "cursor__mark"

const linesOfYaml = {
  key: /^(\s*(?:- +)*)["']?([\w$.-]*)$/,
  value: /^(\s*(?:- +)*[\w$.-]+: +["']?)([\w$.-]*)$/,
}

/**
 * Returns the location of an offset in a YAML text. Returns null if no key or value can be there.
 */
export function locationInYaml(text: string, offset: number): TextLocation | null {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1
  const nextLine = text.indexOf("\n", offset)
  const lineEnd = nextLine === -1 ? text.length : nextLine
  const before = text.slice(lineStart, offset)
  const after = text.slice(offset, lineEnd).replace(wordAfter, "")
  const asKey = linesOfYaml.key.exec(before)
  const asValue = linesOfYaml.value.exec(before)
  const [, head = "", word = ""] = asKey ?? asValue ?? []
  if (asKey === null && asValue === null) return null
  const isKeyWithValue = /^["']?\s*:/.test(after)
  const line =
    asKey === null
      ? `${head.replace(/["']$/, "")}${mark}`
      : `${head}${mark}${isKeyWithValue ? after.replace(/^["']/, "") : ": null"}`
  const document = parseDocument(text.slice(0, lineStart) + line + text.slice(lineEnd), {
    logLevel: "silent",
  })
  const found = findMark(document)
  if (found === null) return null
  if (found.kind === "key") document.deleteIn([...found.path, mark])
  return {
    ...found,
    key: word + (wordAfter.exec(text.slice(offset, lineEnd))?.[0] ?? ""),
    ...wordAt(text, offset),
    config: dataOf(document),
  }
}

/**
 * Maximum number of values that YAML aliases may add. If a text adds more, no completions are
 * computed, which prevents excessive memory use.
 */
const maxAliases = 1000

function dataOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases })
  } catch {
    return null
  }
}

function findMark(document: Document): Pick<TextLocation, "kind" | "path"> | null {
  let found: Pick<TextLocation, "kind" | "path"> | null = null
  visit(document, {
    Scalar(position, { value }, ancestors) {
      if (value !== mark) return undefined
      const path = pathOf(ancestors, position)
      found =
        position === "key" ? { kind: "key", path: path.slice(0, -1) } : { kind: "value", path }
      return visit.BREAK
    },
  })
  return found
}

/**
 * Returns the path of a node in the document. `ancestors` are the nodes that contain the node,
 * outermost first. `position` is the position of the node in its innermost ancestor.
 */
function pathOf(ancestors: readonly unknown[], position: unknown): ConfigPath {
  const path: (string | number)[] = []
  ancestors.forEach((ancestor, index) => {
    if (isPair(ancestor)) path.push(keyText(ancestor))
    const next = ancestors[index + 1]
    if (isSeq(ancestor))
      path.push(
        next === undefined ? Number(position) : ancestor.items.findIndex((item) => item === next),
      )
  })
  return path
}

const keyText = ({ key }: Pair<unknown, unknown>): string =>
  isScalar(key) ? String(key.value) : isMap(key) ? "" : String(key)
