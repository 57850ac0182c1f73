import { hasSurrogates, codePoints } from "../characters/code-points.js"
import { isPythonSpace } from "../characters/python-whitespace.js"
import {
  isDecimal,
  isDigit,
  isLetter,
  isLower,
  isNumeric,
  isTitle,
  isUpper,
} from "../characters/text-classes.js"

/**
 * Implementations of `str.isalpha()` and similar methods of Python, by name. Most of them return
 * true if the text is not empty and all of its characters belong to the class.
 */
export const textPredicates: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["isalpha", (text: string) => every(text, isLetter)],
  ["isdecimal", (text: string) => every(text, isDecimal)],
  ["isdigit", (text: string) => every(text, isDigit)],
  ["isnumeric", (text: string) => every(text, isNumeric)],
  [
    "isalnum",
    (text: string) =>
      every(text, (character) => isLetter(character) || isNumeric(character) || isDigit(character)),
  ],
  ["isspace", (text: string) => every(text, (character) => isPythonSpace(character.charCodeAt(0)))],
  [
    "isupper",
    (text: string) =>
      allOfOneCase(text, isUpper, (character) => isLower(character) || isTitle(character)),
  ],
  [
    "islower",
    (text: string) =>
      allOfOneCase(text, isLower, (character) => isUpper(character) || isTitle(character)),
  ],
  ["istitle", isTitled],
  ["isascii", (text: string) => !/[\u0080-\uffff]/.test(text)],
])

function every(text: string, qualifies: (character: string) => boolean): boolean {
  const points = hasSurrogates(text) ? codePoints(text) : text
  for (let index = 0; index < points.length; index++) if (!qualifies(points[index]!)) return false
  return points.length > 0
}

/**
 * Returns whether a text contains at least one character of the wanted case and none of the
 * opposite case. Characters without case are ignored.
 */
function allOfOneCase(
  text: string,
  wanted: (character: string) => boolean,
  unwanted: (character: string) => boolean,
): boolean {
  let found = false
  for (const character of codePoints(text)) {
    if (unwanted(character)) return false
    found ||= wanted(character)
  }
  return found
}

function isTitled(text: string): boolean {
  let found = false
  let inWord = false
  for (const character of codePoints(text)) {
    if (isUpper(character) || isTitle(character)) {
      if (inWord) return false
      inWord = found = true
    } else if (isLower(character)) {
      if (!inWord) return false
    } else {
      inWord = false
    }
  }
  return found
}
