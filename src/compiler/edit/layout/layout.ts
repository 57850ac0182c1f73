import { stringify } from "yaml"
import { EditRefused } from "../contract/edit-command.js"
import type { SourceNode, SourceText } from "../source/source-node.js"
import { indentAt, indented, lineEndOf, lineStart } from "./lines.js"

/**
 * A text and its style, such as indentation and line ends. New values are written in this style.
 */
export interface Layout {
  readonly source: SourceText
  readonly lineEnd: string
  /** The indentation of one level. */
  readonly unit: string
  /** White space between the start of a field and the dashes of its list (YAML). */
  readonly dashIndent: string
  /** Whether the text has several lines. */
  readonly hasLines: boolean
}

/** Returns the style of a text: its line ends and its indentation. */
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

/** Returns a value as text that can be written inside brackets. */
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
  // JSON keeps a string with line breaks on one line. The YAML writer would split it over several
  // lines.
  const json = spaced(value)
  return json.includes("\\n") ? json : yamlText(value, true).trimEnd()
}

/** Maximum length of a JSON value that is written on one line. */
const longestLine = 60

/** Returns a value as JSON on one line, with spaces after colons and commas and inside braces. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, own]) => `${JSON.stringify(key)}: ${spaced(own)}`)
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
}

/** Returns a field's name as it is written in the text, with quotes where needed. */
export const keyTextOf = (key: string, { source }: Layout): string =>
  source.format === "json" ? JSON.stringify(key) : yamlText(key, false).trimEnd()

/**
 * Returns a field of a block object of YAML with its name, as lines that start with `indent`. The
 * last line has a line end.
 */
export const blockField = (
  key: string,
  value: unknown,
  { lineEnd }: Layout,
  indent: string,
): string => indented(yamlText({ [key]: value }, false), indent).replaceAll("\n", lineEnd)

/**
 * Returns a value as YAML. Strings that YAML 1.1 would read as another type, such as `yes`, are
 * quoted.
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
