import { ConditionRefused } from "../limits/condition-refused.js"
import { findField } from "./scan-field.js"
import { decodeString, type StringParts, stringParts } from "./scan-string.js"
import type { Constant, FormattedField, FormattedText, SyntaxNode } from "./syntax-tree.js"
import type { TokenReader } from "./token-reader.js"

type ParseField = (source: string, from: number, to: number) => SyntaxNode

/**
 * Parses adjacent string literals as one literal. If one of them is an f-string, the result is a
 * node of the type `formatted-text`.
 */
export function parseStrings(reader: TokenReader, field: ParseField): SyntaxNode {
  const { start } = reader.current
  const parts: (Constant | FormattedField)[] = []
  let text = ""
  let textStart = start
  let formatted = false
  let bytes = 0
  let count = 0
  const flush = (next: number): void => {
    if (text !== "") parts.push({ type: "constant", start: textStart, value: text })
    text = ""
    textStart = next
  }
  while (reader.current.type === "string") {
    const token = reader.advance()
    const string = stringParts(reader.source, token.start, token.end)
    count++
    if (string.bytes) {
      bytes++
    } else if (string.formatted) {
      formatted = true
      formattedParts(reader.source, string, field, {
        text: (piece) => (text += piece),
        field: (part) => {
          flush(token.end)
          parts.push(part)
        },
      })
    } else {
      text += decodeString(
        reader.source.slice(string.bodyStart, string.bodyEnd),
        string.raw,
        string.bodyStart,
      )
    }
  }
  if (bytes > 0) {
    if (bytes < count)
      throw new ConditionRefused(
        "syntax",
        "Bytes and text cannot be joined. Remove the b before the quote",
        start,
      )
    return { type: "forbidden", start, reason: "literal", what: "A bytes literal" }
  }
  if (!formatted) return { type: "constant", start, value: text }
  flush(start)
  return { type: "formatted-text", start, parts } satisfies FormattedText
}

interface PartSink {
  text(piece: string): void
  field(part: FormattedField): void
}

function formattedParts(
  source: string,
  string: StringParts,
  field: ParseField,
  sink: PartSink,
): void {
  let position = string.bodyStart
  const end = string.bodyEnd
  while (position < end) {
    const stop = literalEnd(source, position, end, string.raw)
    if (stop > position) sink.text(decodeString(source.slice(position, stop), string.raw, position))
    if (stop >= end) return
    const brace = source.charAt(stop)
    if (source[stop + 1] === brace && stop + 1 < end) {
      sink.text(brace)
      position = stop + 2
    } else if (brace === "}") {
      throw new ConditionRefused(
        "syntax",
        'A single "}" is not allowed in an f-string. Write "}}" for the character',
        stop,
      )
    } else {
      position = formattedField(source, stop, end, string.raw, field, sink)
    }
  }
}

/**
 * Returns the offset of the next brace in an f-string, or `end` if there is none. Skips the braces
 * of `\N{...}`.
 */
function literalEnd(source: string, from: number, end: number, raw: boolean): number {
  let position = from
  while (position < end) {
    const character = source[position]
    if (character === "\\" && !raw && source[position + 1] === "N") {
      const close = source.indexOf("}", position)
      position = close < 0 ? end : Math.min(end, close + 1)
    } else if (
      character === "\\" &&
      !raw &&
      source[position + 1] !== "{" &&
      source[position + 1] !== "}"
    ) {
      position += 2
    } else if (character === "{" || character === "}") {
      return position
    } else {
      position++
    }
  }
  return end
}

/**
 * Parses a field of an f-string such as `{value=!r:spec}`, starting at its opening brace. Returns
 * the offset after its closing brace.
 */
function formattedField(
  source: string,
  open: number,
  end: number,
  raw: boolean,
  parse: ParseField,
  sink: PartSink,
): number {
  const start = open + 1
  const stop = findField(source, start, end)
  if (source.slice(start, stop).trim() === "")
    throw new ConditionRefused(
      "syntax",
      "A field of the f-string is empty. Write an expression between the braces, or {{}} for the characters",
      open,
    )
  const value = parse(source, start, stop)
  let position = stop
  const showsSource = source[position] === "="
  if (showsSource) {
    position++
    while (position < end && " \t\n\r\f\v".includes(source.charAt(position))) position++
    sink.text(source.slice(start, position))
  }
  let conversion: FormattedField["conversion"] = null
  if (source[position] === "!") {
    const letter = source[position + 1]
    if (position + 1 >= end || (letter !== "s" && letter !== "r" && letter !== "a")) {
      throw new ConditionRefused(
        "syntax",
        "A conversion in an f-string must be !s, !r or !a",
        position,
      )
    }
    conversion = letter
    position += 2
  }
  let spec = ""
  const hasSpec = source[position] === ":" && position < end
  if (hasSpec) {
    const from = position + 1
    position = literalEnd(source, from, end, raw)
    if (source[position] === "{" && position < end) {
      throw new ConditionRefused(
        "format",
        "A field inside a format specification is not allowed. Write the width as a number",
        position,
      )
    }
    spec = decodeString(source.slice(from, position), raw, from)
  }
  if (position >= end || source[position] !== "}")
    throw new ConditionRefused("syntax", 'Expected "}" in an f-string', Math.min(position, end))
  if (showsSource && conversion === null && !hasSpec) conversion = "r"
  sink.field({ type: "field", start: open, value, conversion, spec })
  return position + 1
}
