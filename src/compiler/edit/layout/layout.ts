import { stringify } from "yaml"
import { EditRefused } from "../contract/edit-command.js"
import type { SourceNode, SourceText } from "../source/source-node.js"
import { indentAt, indented, lineEndOf, lineStart } from "./lines.js"

/**
 * The text of a config and its style, such as indentation and line ends. New values are written in
 * the same style.
 */
export interface Layout {
  readonly source: SourceText
  readonly lineEnd: string
  /** The white space by which each level is indented. */
  readonly unit: string
  /** White space between the start of a YAML field and the dashes of its list. */
  readonly dashIndent: string
  /** Whether the text has more than one line. */
  readonly hasLines: boolean
}

/** Detects the style of a text: its line ends and its indentation. */
export function layoutOf(source: SourceText): Layout {
  const { text, root, format } = source
  const { unit, dashIndent } = format === "json" ? jsonIndents(text, root) : yamlIndents(text, root)
  return {
    source,
    lineEnd: lineEndOf(text),
    unit,
    dashIndent,
    hasLines: text.trim().includes("\n"),
  }
}

function jsonIndents(text: string, { entries, from }: SourceNode) {
  const [first] = entries
  const own = first === undefined ? "" : indentAt(text, first.from)
  const outer = indentAt(text, from)
  const unit = own.startsWith(outer) ? own.slice(outer.length) : ""
  return { unit: unit === "" ? "  " : unit, dashIndent: "" }
}

function yamlIndents(text: string, root: SourceNode) {
  for (const { from, value } of root.entries) {
    const [item] = value.entries
    if (value.kind !== "list" || value.isFlow || item === undefined) continue
    const dash = item.from - lineStart(text, item.from)
    const key = from - lineStart(text, from)
    return { unit: "  ", dashIndent: " ".repeat(Math.max(0, dash - key)) }
  }
  return { unit: "  ", dashIndent: "  " }
}

/**
 * Returns the text of a value in JSON or in YAML flow style, which uses brackets. A JSON value that
 * is too long for one line is split, and its further lines start with `indent`. If `indent` is
 * null, the value is not split.
 */
export function flowText(
  value: unknown,
  { source, unit, lineEnd }: Layout,
  indent: string | null,
): string {
  if (source.format === "json") {
    const short = spaced(value)
    if (indent === null || short.length <= longestLine) return short
    return JSON.stringify(value, null, unit).replaceAll("\n", lineEnd + indent)
  }
  // JSON keeps a string with line breaks on one line. The YAML writer would split it into several
  // lines.
  const json = spaced(value)
  return json.includes("\\n") ? json : yamlText(value, true).trimEnd()
}

/** Maximum length of a JSON value that is written on one line, in characters. */
const longestLine = 60

/** Returns a value as JSON on one line, with spaces after colons and commas and inside braces. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, own]) => `${JSON.stringify(key)}: ${spaced(own)}`)
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
}

/** Returns the text of a field name, with quotes if the format needs them. */
export const keyTextOf = (key: string, { source }: Layout): string =>
  source.format === "json" ? JSON.stringify(key) : yamlText(key, false).trimEnd()

/**
 * Returns the YAML lines of a field and its value in block style. The lines start with `indent`,
 * and the last line has a line end.
 */
export const blockField = (
  key: string,
  value: unknown,
  { lineEnd }: Layout,
  indent: string,
): string => indented(yamlText({ [key]: value }, false), indent).replaceAll("\n", lineEnd)

/**
 * Returns a value as YAML text. Strings that YAML 1.1 would parse as another type, such as `yes`,
 * are quoted.
 */
function yamlText(value: unknown, isFlow: boolean): string {
  try {
    return stringify(value, {
      lineWidth: 0,
      minContentWidth: 0,
      compat: "yaml-1.1",
      aliasDuplicateObjects: false,
      ...(isFlow && { collectionStyle: "flow", blockQuote: false }),
    })
  } catch (error) {
    throw new EditRefused(
      "value_invalid",
      `The value cannot be written as YAML: ${error instanceof Error ? error.message : String(error)}.`,
      "Use strings, numbers, true, false, null, lists and objects.",
    )
  }
}

export const unsupportedLayout = (reason: string): EditRefused =>
  new EditRefused("layout_unsupported", `${reason}.`, "Edit this part in the text.")
