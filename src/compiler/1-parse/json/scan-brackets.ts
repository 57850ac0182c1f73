/** What a pass over the characters of a JSON text tells before it is parsed. Also defined for broken texts. */
export interface BracketScan {
  /** Offset of the first bracket that is nested deeper than allowed, -1 if there is none. */
  readonly tooDeepAt: number
  /** Colons outside of texts: in valid JSON the number of `key: value` pairs, repeated keys included. */
  readonly pairs: number
  /** Offset of the innermost bracket that is still open at the end, -1 if there is none. */
  readonly openAt: number
}

/**
 * One linear pass without recursion, so that a hostile text of a million brackets costs nothing. Parsers that build
 * trees recurse and would overflow the stack.
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

/** Offset of the quote that ends the text that starts at `start`, or of the last character. */
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
