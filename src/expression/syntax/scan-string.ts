import { ConditionRefused } from "../limits/condition-refused.js"

/**
 * The location of a string token's body in the source, and the meaning of its prefix. For example,
 * the prefix `rb` sets `raw` and `bytes`.
 */
export interface StringParts {
  readonly bodyStart: number
  readonly bodyEnd: number
  readonly raw: boolean
  readonly formatted: boolean
  readonly bytes: boolean
}

const prefixes: ReadonlySet<string> = new Set(["r", "u", "f", "b", "rb", "br", "rf", "fr"])

/**
 * Returns the length of a string prefix such as `rb`. Returns 0 if the source has no string with a
 * prefix at this position.
 */
export function stringPrefixLength(source: string, position: number, to: number): number {
  for (let length = 1; length <= 2 && position + length < to; length++) {
    const code = source.charCodeAt(position + length)
    if (code !== 34 && code !== 39) continue
    return prefixes.has(source.slice(position, position + length).toLowerCase()) ? length : 0
  }
  return 0
}

/**
 * Returns the offset after the closing quote of the string that begins at `start`. `prefix` is the
 * length of its prefix, such as 2 for `rb`.
 */
export function scanString(source: string, start: number, prefix: number, to: number): number {
  let position = start + prefix
  const quote = source.charAt(position)
  const fence = quoteFence(source, position, to)
  position += fence.length
  while (position < to) {
    const character = source.charAt(position)
    if (character === "\\") {
      // A backslash escapes the next character, even in a raw string. CRLF is one line break.
      position += source[position + 1] === "\r" && source[position + 2] === "\n" ? 3 : 2
    } else if (
      character === quote &&
      (fence.length === 1 || source.startsWith(fence, position)) &&
      position + fence.length <= to
    ) {
      return position + fence.length
    } else if (fence.length === 1 && (character === "\n" || character === "\r")) {
      break
    } else {
      position++
    }
  }
  throw new ConditionRefused(
    "syntax",
    `The string that starts with ${fence} has no end. Add ${fence} after its last character`,
    start,
  )
}

export function stringParts(source: string, start: number, end: number): StringParts {
  let prefix = 0
  while (source[start + prefix] !== "'" && source[start + prefix] !== '"') prefix++
  const letters = source.slice(start, start + prefix).toLowerCase()
  const fence = quoteFence(source, start + prefix, end).length
  return {
    bodyStart: start + prefix + fence,
    bodyEnd: end - fence,
    raw: letters.includes("r"),
    formatted: letters.includes("f"),
    bytes: letters.includes("b"),
  }
}

function quoteFence(source: string, position: number, to: number): string {
  const quote = source.charAt(position)
  const triple = quote + quote + quote
  return source.startsWith(triple, position) && position + 3 <= to ? triple : quote
}

const simpleEscapes: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
}

const hexLengths: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
])

/**
 * Decodes the escapes in a piece of a string literal. An unknown escape keeps its backslash, as in
 * Python 3.11. `offset` is the position of the piece in the source, for error messages.
 */
export function decodeString(piece: string, raw: boolean, offset: number): string {
  const body = piece.includes("\r") ? piece.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : piece
  let backslash = raw ? -1 : body.indexOf("\\")
  if (backslash < 0) return body
  let text = ""
  let copied = 0
  while (backslash >= 0 && backslash + 1 < body.length) {
    text += body.slice(copied, backslash)
    const letter = body.charAt(backslash + 1)
    const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined
    const hexLength = hexLengths.get(letter)
    if (simple !== undefined) {
      text += simple
      copied = backslash + 2
    } else if (hexLength !== undefined) {
      const digits = body.slice(backslash + 2, backslash + 2 + hexLength)
      text += hexCharacter(digits, hexLength, letter, offset + backslash)
      copied = backslash + 2 + digits.length
    } else if (letter >= "0" && letter <= "7") {
      const digits = /^[0-7]{1,3}/.exec(body.slice(backslash + 1, backslash + 4))![0]
      text += String.fromCharCode(Number.parseInt(digits, 8))
      copied = backslash + 1 + digits.length
    } else if (letter === "N") {
      if (body[backslash + 2] !== "{")
        throw new ConditionRefused(
          "syntax",
          "\\N needs a character name in braces. Use \\uXXXX or the character itself",
          offset + backslash,
        )
      throw new ConditionRefused(
        "literal",
        "Character names (\\N{...}) are not allowed. Use \\uXXXX or the character itself",
        offset + backslash,
      )
    } else {
      text += `\\${letter}`
      copied = backslash + 2
    }
    backslash = body.indexOf("\\", copied)
  }
  return text + body.slice(copied)
}

function hexCharacter(digits: string, length: number, letter: string, offset: number): string {
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
    throw new ConditionRefused("syntax", `\\${letter} needs ${length} hexadecimal digits`, offset)
  }
  const code = Number.parseInt(digits, 16)
  if (code > 0x10ffff)
    throw new ConditionRefused(
      "syntax",
      `The character U+${digits} does not exist. Use a code point up to U+10FFFF`,
      offset,
    )
  return String.fromCodePoint(code)
}
