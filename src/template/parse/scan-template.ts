import { TemplateRefused } from "../limits/template-errors.js"

/**
 * One piece of a template: literal text, or the source of a `{{ }}` expression. `offset` is the
 * index of this source in the text, after the `{{`.
 */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "expression"; readonly source: string; readonly offset: number }

/**
 * Splits a text at its `{{ }}` expressions. Skips the braces, strings, quoted names, comments and
 * regular expressions inside an expression. Therefore `{{ {"a": {"b": 1}} }}` and `{{ "}}" }}` are
 * one expression each. A `}}` outside an expression is literal text.
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

/**
 * Returns the index of the `}}` that ends the expression at `start`. Returns -1 if the expression
 * is not closed.
 */
function endOfExpression(text: string, start: number): number {
  let depth = 0
  // Index after the last character that is not a space or a comment.
  let behind = start
  for (let index = start; index < text.length; index++) {
    const char = text[index] ?? ""
    if (char === "}" && depth === 0 && text[index + 1] === "}") return index
    if (char === "{") depth++
    else if (char === "}") depth = Math.max(0, depth - 1)
    const comment = char === "/" && text[index + 1] === "*"
    index = comment
      ? endOfComment(text, index)
      : endOfToken(text, index, text.slice(Math.max(start, behind - 4), behind))
    if (index === -1) return -1
    if (!comment && char.trim() !== "") behind = index + 1
  }
  return -1
}

/**
 * Returns the index of the last character of the token at `index`, such as a quoted string. Returns
 * -1 if the token is not closed. `before` contains the characters directly before the token. They
 * decide whether a slash is a division or starts a regular expression.
 */
function endOfToken(text: string, index: number, before: string): number {
  const char = text[index]
  if (char === '"' || char === "'") return endOfQuoted(text, index, char, true)
  if (char === "`") return endOfQuoted(text, index, char, false)
  return char === "/" && startsOperand(before) ? endOfRegex(text, index) : index
}

function endOfComment(text: string, index: number): number {
  const end = text.indexOf("*/", index + 2)
  return end === -1 ? -1 : end + 1
}

function endOfQuoted(text: string, index: number, quote: string, escapes: boolean): number {
  for (let next = index + 1; next < text.length; next++) {
    if (escapes && text[next] === "\\") next++
    else if (text[next] === quote) return next
  }
  return -1
}

/**
 * Returns the index of the last character of a regular expression, or -1 if the expression is not
 * closed. As in JSONata, a slash inside brackets does not end the expression.
 */
function endOfRegex(text: string, index: number): number {
  let depth = 0
  for (let next = index + 1; next < text.length; next++) {
    const char = text[next] ?? ""
    if (char === "\\") next++
    else if (char === "/" && depth === 0) return next
    else if ("([{".includes(char)) depth++
    else if (")]}".includes(char)) depth--
  }
  return -1
}

/**
 * Returns whether a slash starts a regular expression, given the text before the slash. This is
 * true at the start of an expression and after an operator. After a value, the slash is a division
 * operator.
 */
const startsOperand = (before: string): boolean =>
  before === "" || /[^\w)\]}"'`]$/.test(before) || /(?:^|\W)(?:and|or|in)$/.test(before)
