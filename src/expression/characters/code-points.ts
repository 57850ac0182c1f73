/**
 * Matches a UTF-16 surrogate. This module converts between indexes in code points, which Python
 * uses, and indexes in UTF-16 units, which JavaScript uses. Texts without surrogates are not
 * copied. A lone surrogate counts as one code point, as in Python.
 */
const surrogate = /[\ud800-\udfff]/

export function hasSurrogates(text: string): boolean {
  return surrogate.test(text)
}

export function codePointLength(text: string): number {
  if (!hasSurrogates(text)) return text.length
  let length = 0
  for (let unit = 0; unit < text.length; unit += unitsAt(text, unit)) length++
  return length
}

/** Splits a text into its code points, each as a string. */
export function codePoints(text: string): string[] {
  const points: string[] = []
  for (let unit = 0; unit < text.length;) {
    const units = unitsAt(text, unit)
    points.push(units === 1 ? text[unit]! : text.substring(unit, unit + units))
    unit += units
  }
  return points
}

/**
 * Converts the index of a code point to an index in UTF-16 units. Returns the length of the text if
 * the index is too large.
 */
export function unitOffset(text: string, index: number): number {
  if (!hasSurrogates(text)) return Math.min(index, text.length)
  let unit = 0
  for (let seen = 0; seen < index && unit < text.length; seen++) unit += unitsAt(text, unit)
  return unit
}

/** Converts an index in UTF-16 units to the number of code points before this index. */
export function codePointIndex(text: string, unit: number): number {
  return codePointLength(text.substring(0, unit))
}

/**
 * Returns the number of UTF-16 units of the code point at an offset: 2 for a surrogate pair,
 * otherwise 1.
 */
function unitsAt(text: string, unit: number): 1 | 2 {
  const code = text.charCodeAt(unit)
  if (code < 0xd800 || code > 0xdbff) return 1
  const next = text.charCodeAt(unit + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

/**
 * Compares two texts by code points, as Python does. Returns a negative number, zero or a positive
 * number. JavaScript's `<` compares UTF-16 units instead.
 */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let unit = 0; unit < length; unit++) {
    const a = left.charCodeAt(unit)
    const b = right.charCodeAt(unit)
    if (a === b) continue
    if (a < 0xd800 && b < 0xd800) return a - b
    // If the texts differ in the second unit of a surrogate pair, compare the whole pair.
    const start = unit > 0 && (unitsAt(left, unit - 1) === 2 || unitsAt(right, unit - 1) === 2)
    const from = start ? unit - 1 : unit
    return left.codePointAt(from)! - right.codePointAt(from)!
  }
  return left.length - right.length
}
