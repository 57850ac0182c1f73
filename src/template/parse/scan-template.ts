import { TemplateRefused } from "../limits/template-errors.js"

/** A stretch of a text: literal, or the inside of `{{ }}`, which starts at `offset`. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "expression"; readonly source: string; readonly offset: number }

/**
 * Cuts a text at its `{{ }}`. Braces, strings, names in backticks, comments and regular expressions of JSONata are
 * stepped over, so `{{ {"a": {"b": 1}} }}` and `{{ "}}" }}` are one expression each. `}}` outside of an expression is text.
 */
export function scanTemplate(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (;;) {
    const open = text.indexOf("{{", from)
    if (open === -1) break
    const close = endOfExpression(text, open + 2)
    if (close === -1) {
      throw new TemplateRefused(
        open,
        'this "{{" has no "}}". Close it and every brace and quote inside it. Write a literal "{{" as {{ "{{" }}.',
      )
    }
    if (open > from) pieces.push({ type: "text", text: text.slice(from, open) })
    pieces.push({ type: "expression", source: text.slice(open + 2, close), offset: open + 2 })
    from = close + 2
  }
  if (from < text.length || pieces.length === 0)
    pieces.push({ type: "text", text: text.slice(from) })
  return pieces
}

/** Offset of the `}}` that ends the expression, -1 where there is none. */
function endOfExpression(text: string, start: number): number {
  let depth = 0
  // Behind the last character that is neither space nor comment.
  let behind = start
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? ""
    if (char === "}" && depth === 0 && text[at + 1] === "}") return at
    if (char === "{") depth++
    else if (char === "}") depth = Math.max(0, depth - 1)
    const comment = char === "/" && text[at + 1] === "*"
    at = comment
      ? endOfComment(text, at)
      : endOfToken(text, at, text.slice(Math.max(start, behind - 4), behind))
    if (at === -1) return -1
    if (!comment && char.trim() !== "") behind = at + 1
  }
  return -1
}

/** Offset of the last character of the token at `at`, -1 where it never ends. `before` is the end of what stands before it. */
function endOfToken(text: string, at: number, before: string): number {
  const char = text[at]
  if (char === '"' || char === "'") return endOfQuoted(text, at, char, true)
  if (char === "`") return endOfQuoted(text, at, char, false)
  return char === "/" && startsOperand(before) ? endOfRegex(text, at) : at
}

function endOfComment(text: string, at: number): number {
  const end = text.indexOf("*/", at + 2)
  return end === -1 ? -1 : end + 1
}

function endOfQuoted(text: string, at: number, quote: string, escapes: boolean): number {
  for (let next = at + 1; next < text.length; next++) {
    if (escapes && text[next] === "\\") next++
    else if (text[next] === quote) return next
  }
  return -1
}

/** As JSONata reads them: a slash inside of brackets does not close the expression. */
function endOfRegex(text: string, at: number): number {
  let depth = 0
  for (let next = at + 1; next < text.length; next++) {
    const char = text[next] ?? ""
    if (char === "\\") next++
    else if (char === "/" && depth === 0) return next
    else if ("([{".includes(char)) depth++
    else if (")]}".includes(char)) depth--
  }
  return -1
}

/** After an operator, or at the start, a slash opens a regular expression; after a value it divides. */
const startsOperand = (before: string): boolean =>
  before === "" || /[^\w)\]}"'`]$/.test(before) || /(?:^|\W)(?:and|or|in)$/.test(before)
