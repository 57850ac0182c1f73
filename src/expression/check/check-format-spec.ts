import { ConditionRefused } from "../limits/condition-refused.js"
import { asciiDigits } from "../characters/decimal-digits.js"
import { limits } from "../limits/limits.js"

/**
 * Matches a format specification of Python, such as `>8` or `,.2f`: fill and alignment, sign, zero,
 * width, grouping, precision and type.
 */
const pattern = /^(?:[^{}]?[<>=^])?[-+ ]?0?(\p{Nd}+)?[,_]?(?:\.(\p{Nd}+))?[sdfFeEgG%xXbo]?\n?$/u

export function checkFormatSpec(spec: string, start: number): void {
  if (spec === "") return
  const match = pattern.exec(spec)
  if (match === null)
    throw new ConditionRefused(
      "format",
      `The format specification "${spec.slice(0, 40)}" is not allowed. Write one such as .2f or >8`,
      start,
    )
  if (tooMuch(match[1], limits.formatWidth) || tooMuch(match[2], limits.formatPrecision)) {
    throw new ConditionRefused(
      "resource",
      `The width must be at most ${limits.formatWidth} and the precision at most ${limits.formatPrecision}`,
      start,
    )
  }
}

function tooMuch(digits: string | undefined, most: number): boolean {
  return digits !== undefined && (digits.length > 200 || Number(asciiDigits(digits)) > most)
}
