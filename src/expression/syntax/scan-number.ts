import { ConditionRefused } from "../limits/condition-refused.js"
import { floatValue, normalizeInteger, type Value } from "../values/values.js"

/** The only words that may directly follow a number without a space, as in `1if x else 2`. */
const wordsAfterNumber = ["and", "else", "for", "if", "in", "is", "not", "or"]

/**
 * Returns the offset after the number that starts at `start`. Reads at most to the offset `to`.
 * Throws if a letter or digit directly follows the number.
 */
export function scanNumber(source: string, start: number, to: number): number {
  const text = source.slice(start, to)
  const end = start + numberLength(text, start)
  const next = source.charCodeAt(end)
  if (end < to && (isLetter(next) || next === 95 || next >= 128 || isDigit(next))) {
    if (!wordsAfterNumber.some((word) => source.startsWith(word, end))) {
      throw new ConditionRefused(
        "syntax",
        "A letter or digit directly follows a number. Write an operator or a space between them",
        end,
      )
    }
  }
  return end
}

const prefixed = /^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)/
const decimal = /^(?:\d(?:_?\d)*)?(?:\.(?:\d(?:_?\d)*)?)?(?:[eE][-+]?\d(?:_?\d)*)?[jJ]?/

function numberLength(text: string, start: number): number {
  const radix = text[1]
  if (text[0] === "0" && radix !== undefined && "xXoObB".includes(radix)) {
    const match = prefixed.exec(text)
    if (match === null)
      throw new ConditionRefused(
        "syntax",
        `Digits are missing after "0${radix}". Write a number such as 0${radix}1`,
        start,
      )
    return match[0].length
  }
  const length = decimal.exec(text)![0].length
  const number = text.slice(0, length)
  if (/^0[_0]*[1-9][\d_]*$/.test(number)) {
    throw new ConditionRefused(
      "syntax",
      "A number cannot start with 0. Remove the zero, or write 0o for an octal number",
      start,
    )
  }
  return length
}

/**
 * Returns the value of a number token, such as `1_000` or `0xff`. Returns null for imaginary
 * numbers, which are not supported.
 */
export function numberValue(text: string): Value {
  const digits = text.includes("_") ? text.replaceAll("_", "") : text
  if (/^0[xXoObB]/.test(digits)) return normalizeInteger(BigInt(digits.toLowerCase()))
  if (/[jJ]$/.test(digits)) return null
  if (/[.eE]/.test(digits)) return floatValue(Number(digits))
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : normalizeInteger(BigInt(digits))
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
