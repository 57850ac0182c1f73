/**
 * The result of scanning a JSON text before it is parsed. Scanning also succeeds if the JSON is
 * invalid.
 */
export interface BracketScan {
  /** Offset of the first bracket that is nested too deeply, or -1 if there is none. */
  readonly tooDeepAt: number
  /**
   * Number of colons outside strings. In valid JSON, this is the number of `key: value` pairs,
   * including duplicate keys.
   */
  readonly pairs: number
  /** Offset of the innermost bracket that is not closed, or -1 if all brackets are closed. */
  readonly openAt: number
}

/**
 * Scans the brackets of a JSON text once, without recursion. It runs before the parser, because
 * parsers are recursive and a malicious text with a million brackets would overflow their stack.
 */
export function scanBrackets(text: string, maxDepth: number): BracketScan {
  const open: number[] = []
  let pairs = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case quote:
        index = endOfText(text, index)
        break
      case colon:
        pairs++
        break
      case leftBrace:
      case leftBracket:
        open.push(index)
        if (open.length > maxDepth) return { tooDeepAt: index, pairs, openAt: index }
        break
      case rightBrace:
      case rightBracket:
        open.pop()
        break
    }
  }
  return { tooDeepAt: -1, pairs, openAt: open.at(-1) ?? -1 }
}

/**
 * Returns the offset of the quote that closes the string literal that starts at `start`. If the
 * string is not closed, returns the length of the text.
 */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, index: number): boolean {
  let before = index
  while (text.charCodeAt(before - 1) === backslash) before--
  return (index - before) % 2 === 1
}

const quote = 0x22
const colon = 0x3a
const leftBracket = 0x5b
const backslash = 0x5c
const rightBracket = 0x5d
const leftBrace = 0x7b
const rightBrace = 0x7d
