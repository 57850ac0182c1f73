import { ConditionRefused } from "../limits/condition-refused.js"
import { asciiDigits } from "../characters/decimal-digits.js"
import { limits } from "../limits/limits.js"

/** Fill and alignment, sign, zero, width, grouping, precision and type, as in Python. */
const pattern = /^(?:[^{}]?[<>=^])?[-+ ]?0?(\p{Nd}+)?[,_]?(?:\.(\p{Nd}+))?[sdfFeEgG%xXbo]?\n?$/u

export function checkFormatSpec(spec: string, start: number): void {
  if (spec === "") return
  const match = pattern.exec(spec)
  if (match === null)
    throw new ConditionRefused(
      "format",
      `"${spec.slice(0, 40)}" is no format specification that is allowed here`,
      start,
    )
  if (tooMuch(match[1], limits.formatWidth) || tooMuch(match[2], limits.formatPrecision)) {
    throw new ConditionRefused(
      "resource",
      `A width above ${limits.formatWidth} or a precision above ${limits.formatPrecision}`,
      start,
    )
  }
}

function tooMuch(digits: string | undefined, most: number): boolean {
  return digits !== undefined && (digits.length > 200 || Number(asciiDigits(digits)) > most)
}
