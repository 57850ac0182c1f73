import { ConditionRefused } from "../limits/condition-refused.js"
import { strangeCharacter } from "./character-hints.js"
import { scanNumber } from "./scan-number.js"
import { scanString, stringPrefixLength } from "./scan-string.js"

type TokenType = "name" | "keyword" | "number" | "string" | "operator" | "end"

export interface SyntaxToken {
  readonly type: TokenType
  /**
   * Text of a name, keyword or operator. Empty for other tokens. Names are normalized to NFKC, as
   * in Python.
   */
  readonly text: string
  readonly start: number
  readonly end: number
}

const keywords: ReadonlySet<string> = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
)

const operators: readonly string[] = ["**", "//", "<<", ">>", "<=", ">=", "==", "!=", ":=", "..."]

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/**
 * Splits a range of a source into tokens. The last token has the type "end". Inside brackets, a
 * line break is whitespace. Outside brackets, a line break ends the condition, and only comments
 * may follow. If `enclosed` is true, brackets enclose the whole range, such as a field of an
 * f-string.
 */
export function tokenize(
  source: string,
  from: number,
  to: number,
  enclosed: boolean,
): SyntaxToken[] {
  const tokens: SyntaxToken[] = []
  const open: SyntaxToken[] = []
  let position = from
  let lineEnded = false
  let indent = 0
  let carried = false

  const add = (type: TokenType, text: string, end: number): void => {
    if (lineEnded)
      throw new ConditionRefused(
        "syntax",
        "A condition must be one expression, but a second line starts here. Put brackets around an expression with several lines",
        position,
      )
    if (indent > 0 && !enclosed && tokens.length === 0) {
      throw new ConditionRefused(
        "syntax",
        "Unexpected indent. Start the expression at the beginning of its line",
        position,
      )
    }
    tokens.push({ type, text, start: position, end })
    position = end
  }

  while (position < to) {
    const code = source.charCodeAt(position)
    if (code === 32 || code === 9 || code === 12) {
      // A form feed resets the indentation, unless a backslash has continued the line.
      if (code !== 12) indent++
      else if (!carried) indent = 0
      position++
    } else if (code === 10 || code === 13) {
      position++
      if (!enclosed && open.length === 0 && tokens.length > 0) lineEnded = true
      indent = 0
      carried = false
    } else if (code === 35) {
      while (position < to && !isLineBreak(source.charCodeAt(position))) position++
    } else if (code === 92) {
      position = continueLine(source, position, to)
      carried ||= indent > 0
    } else if (isNameStart(code)) {
      const prefix = stringPrefixLength(source, position, to)
      if (prefix > 0) {
        add("string", "", scanString(source, position, prefix, to))
      } else {
        const end = nameEnd(source, position, to)
        const text = source.slice(position, end)
        if (code < 128 && keywords.has(text)) add("keyword", text, end)
        else add("name", normalizeName(text, position), end)
      }
    } else if (
      isDigit(code) ||
      (code === 46 && isDigit(source.charCodeAt(position + 1)) && position + 1 < to)
    ) {
      add("number", "", scanNumber(source, position, to))
    } else if (code === 34 || code === 39) {
      add("string", "", scanString(source, position, 0, to))
    } else {
      const text = operatorAt(source, position, to)
      add("operator", text, position + text.length)
      matchBrackets(tokens[tokens.length - 1]!, open)
    }
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined)
    throw new ConditionRefused(
      "syntax",
      `"${unclosed.text}" is never closed. Add the closing bracket`,
      unclosed.start,
    )
  tokens.push({ type: "end", text: "", start: to, end: to })
  return tokens
}

function matchBrackets(token: SyntaxToken, open: SyntaxToken[]): void {
  if (closers[token.text] !== undefined) {
    open.push(token)
  } else if (token.text === ")" || token.text === "]" || token.text === "}") {
    const opener = open.pop()
    if (opener === undefined || closers[opener.text] !== token.text) {
      const expected =
        opener === undefined
          ? "no bracket is open here"
          : `"${opener.text}" at column ${opener.start + 1} is open`
      throw new ConditionRefused(
        "syntax",
        `"${token.text}" does not match an opening bracket: ${expected}`,
        token.start,
      )
    }
  }
}

/**
 * Returns the offset after a backslash and the line break that follows it. Throws if the backslash
 * is not the last character of its line.
 */
function continueLine(source: string, position: number, to: number): number {
  let next = position + 1
  if (source.charCodeAt(next) === 13 && source.charCodeAt(next + 1) === 10) next++
  if (next + 1 >= to || !isLineBreak(source.charCodeAt(next))) {
    throw new ConditionRefused(
      "syntax",
      "A backslash outside of a string is only allowed at the end of a line. Remove it",
      position,
    )
  }
  return next + 1
}

function operatorAt(source: string, position: number, to: number): string {
  for (const operator of operators) {
    if (source.startsWith(operator, position) && position + operator.length <= to) return operator
  }
  const character = String.fromCodePoint(source.codePointAt(position)!)
  if ("()[]{},:.;=+-*/%@&|^~<>".includes(character)) return character
  throw new ConditionRefused("syntax", strangeCharacter(character, source, position), position)
}

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 128
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code)
}

function nameEnd(source: string, position: number, to: number): number {
  while (position < to && isNamePart(source.charCodeAt(position))) position++
  return position
}

const beyondAscii = /[\u0080-\uffff]/
const unicodeName = /^[_\p{XID_Start}]\p{XID_Continue}*$/u

function normalizeName(text: string, position: number): string {
  if (!beyondAscii.test(text)) return text
  if (!unicodeName.test(text)) {
    const strange =
      [...text].find(
        (character, index) => !unicodeName.test(index === 0 ? character : `a${character}`),
      ) ?? text
    throw new ConditionRefused(
      "syntax",
      strangeCharacter(strange, text, text.indexOf(strange)),
      position + text.indexOf(strange),
    )
  }
  return text.normalize("NFKC")
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13
}
