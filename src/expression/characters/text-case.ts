import { codePoints } from "./code-points.js"
import { isCased, isLower, isUpper } from "./text-classes.js"

/**
 * Python's changes of case where JavaScript has none: title case, case folding, swapping. Checked against Python for
 * every assigned character of Unicode 14.
 */

/** First letter of each word in title case, the others small. A word is a run of cased letters: "They'Re". */
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
  const first = text === "" ? "" : String.fromCodePoint(text.codePointAt(0)!)
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
  // Cherokee folds to capitals, which are the older letters.
  if ((code >= 0x13a0 && code <= 0x13fd) || (code >= 0xab70 && code <= 0xabbf))
    return character.toUpperCase()
  if (code === 0x1e9e) return "ss"
  // The dotless i stays what it is.
  if (code === 0x131) return character
  let result = ""
  for (const point of codePoints(character.toUpperCase())) result += point.toLowerCase()
  return result
}

function titleCharacter(character: string): string {
  if (character < "\x80") return character.toUpperCase()
  const code = character.codePointAt(0)!
  // Digraphs like ǆ have a form of their own; Georgian letters have no title case.
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

/** Greek letters with an iota below keep it below. */
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

/** A capital sigma at the end of a word becomes the final form, which takes a look around. */
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
