import { codePoints } from "./code-points.js"
import { isCased, isLower, isUpper } from "./text-classes.js"

/**
 * Python's conversions of strings that JavaScript does not have: title case, case folding and
 * swapped case. They are verified against Python for every assigned character of Unicode 14.
 */

/**
 * Converts the first letter of each word to title case and the other letters to lower case. As in
 * Python, a word is a run of cased letters, so "they're" becomes "They'Re".
 */
export function titleText(text: string): string {
  const points = codePoints(text)
  let result = ""
  let inWord = false
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!
    result += inWord ? lowerAt(points, index) : titleCharacter(point)
    inWord = isCased(point)
  }
  return result
}

export function capitalizeText(text: string): string {
  const [first = ""] = text
  return titleCharacter(first) + text.toLowerCase().substring(first.toLowerCase().length)
}

export function swapCaseText(text: string): string {
  const points = codePoints(text)
  let result = ""
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!
    result += isUpper(point) ? lowerAt(points, index) : isLower(point) ? point.toUpperCase() : point
  }
  return result
}

export function foldCaseText(text: string): string {
  let result = ""
  for (const point of codePoints(text)) result += foldCharacter(point)
  return result
}

function foldCharacter(character: string): string {
  if (character < "\x80") return character.toLowerCase()
  const code = character.codePointAt(0)!
  // Cherokee letters fold to upper case, because the lower-case letters were added later.
  if ((code >= 0x13a0 && code <= 0x13fd) || (code >= 0xab70 && code <= 0xabbf))
    return character.toUpperCase()
  if (code === 0x1e9e) return "ss"
  // Case folding does not change the dotless i.
  if (code === 0x131) return character
  let result = ""
  for (const point of codePoints(character.toUpperCase())) result += point.toLowerCase()
  return result
}

function titleCharacter(character: string): string {
  if (character < "\x80") return character.toUpperCase()
  const code = character.codePointAt(0)!
  // Digraphs such as ǆ have their own title case. Georgian letters have none.
  if (code >= 0x1c4 && code <= 0x1cc)
    return String.fromCharCode(0x1c5 + 3 * Math.floor((code - 0x1c4) / 3))
  if (code >= 0x1f1 && code <= 0x1f3) return "\u01f2"
  if (code >= 0x10d0 && code <= 0x10ff) return character
  const upper = codePoints(character.toUpperCase())
  if (upper.length === 1 || code === 0x149) return character.toUpperCase()
  if (code >= 0x1f80 && code <= 0x1fff) return greekTitle(code, upper)
  let rest = ""
  for (let index = 1; index < upper.length; index++) rest += upper[index]!.toLowerCase()
  return upper[0]! + rest
}

/**
 * Converts a Greek character to title case. An iota below the letter stays below the letter. In
 * upper case, it would become a separate letter.
 */
function greekTitle(code: number, upper: readonly string[]): string {
  if (code <= 0x1faf) return String.fromCharCode(code | 8)
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCharCode(code + 9)
  if (code === 0x1fbc || code === 0x1fcc || code === 0x1ffc) return String.fromCharCode(code)
  let result = ""
  for (let index = 0; index < upper.length; index++) {
    result += index > 0 && upper[index] === "\u0399" ? "\u0345" : upper[index]!
  }
  return result
}

const caseIgnorable = /^\p{Case_Ignorable}$/u

/**
 * Converts the character at an index to lower case. The neighboring characters matter only for the
 * Greek sigma, which has a special form at the end of a word.
 */
function lowerAt(points: readonly string[], index: number): string {
  const point = points[index]!
  if (point !== "\u03a3") return point.toLowerCase()
  let before = index - 1
  while (before >= 0 && caseIgnorable.test(points[before]!)) before--
  let after = index + 1
  while (after < points.length && caseIgnorable.test(points[after]!)) after++
  const isFinal =
    before >= 0 && isCased(points[before]!) && !(after < points.length && isCased(points[after]!))
  return isFinal ? "\u03c2" : "\u03c3"
}
