/**
 * Python counts code points, JavaScript counts UTF-16 units. Texts without surrogates, nearly all of them, are
 * handled without a copy. A lone surrogate counts as one, as in Python.
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

/** The characters of a text, one string each. */
export function codePoints(text: string): string[] {
  const points: string[] = []
  for (let unit = 0; unit < text.length;) {
    const units = unitsAt(text, unit)
    points.push(units === 1 ? text[unit]! : text.substring(unit, unit + units))
    unit += units
  }
  return points
}

/** Where the code point with this index starts, in units; the end of the text when there is none. */
export function unitOffset(text: string, index: number): number {
  if (!hasSurrogates(text)) return Math.min(index, text.length)
  let unit = 0
  for (let seen = 0; seen < index && unit < text.length; seen++) unit += unitsAt(text, unit)
  return unit
}

/** The code points before a unit offset: the way back from `indexOf` to Python's index. */
export function codePointIndex(text: string, unit: number): number {
  return codePointLength(text.substring(0, unit))
}

/** 2 for a surrogate pair, 1 for everything else. */
function unitsAt(text: string, unit: number): 1 | 2 {
  const code = text.charCodeAt(unit)
  if (code < 0xd800 || code > 0xdbff) return 1
  const next = text.charCodeAt(unit + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

/** Order by code points: by units, `"👍" < "\uffff"` would hold. Negative, zero or positive. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let unit = 0; unit < length; unit++) {
    const a = left.charCodeAt(unit)
    const b = right.charCodeAt(unit)
    if (a === b) continue
    if (a < 0xd800 && b < 0xd800) return a - b
    // Texts that differ in the second half of a pair differ in the code point that starts one unit earlier.
    const start = unit > 0 && (unitsAt(left, unit - 1) === 2 || unitsAt(right, unit - 1) === 2)
    const from = start ? unit - 1 : unit
    return left.codePointAt(from)! - right.codePointAt(from)!
  }
  return left.length - right.length
}
