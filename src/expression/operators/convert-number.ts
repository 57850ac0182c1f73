import { type CallArguments, argument, expectCount } from "../collections/call-arguments.js"
import type { StepBudget } from "../limits/step-budget.js"
import { raise } from "../limits/condition-failed.js"
import { asciiDigits } from "../characters/decimal-digits.js"
import { integerResult } from "../numbers/integer-arithmetic.js"
import { maxDigits } from "../numbers/integer-text.js"
import { toFloat } from "./arithmetic.js"
import { isPythonSpace } from "../characters/python-whitespace.js"
import { repr } from "../collections/repr.js"
import {
  amountOf,
  floatValue,
  integerOf,
  normalizeInteger,
  typeName,
  type Value,
} from "../values/values.js"

/** Implements Python's `int(value)` and `int(text, base)`. */
export function toInteger(args: CallArguments): Value {
  expectCount("int", args, 0, 2)
  const value = args.positional[0]
  const base = argument("int", args, 1, "base")
  if (value === undefined)
    return base === undefined ? 0 : raise("TypeError", "int() missing string argument")
  if (base === undefined)
    return typeof value === "string" ? parseInteger(value, 10, args.budget) : truncated(value)
  const radix = integerOf(base)
  if (radix === undefined)
    return raise("TypeError", `'${typeName(base)}' object cannot be interpreted as an integer`)
  if (radix != 0 && (radix < 2 || radix > 36))
    raise("ValueError", "int() base must be >= 2 and <= 36, or 0")
  if (typeof value !== "string")
    return raise("TypeError", "int() can't convert non-string with explicit base")
  return parseInteger(value, Number(radix), args.budget)
}

function truncated(value: Value): Value {
  const integer = integerOf(value)
  if (integer !== undefined) return integer
  const amount = amountOf(value)
  if (amount === undefined) {
    return raise(
      "TypeError",
      `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`,
    )
  }
  return floatToInteger(Number(amount), Math.trunc)
}

export function floatToInteger(
  amount: number,
  rounding: (amount: number) => number,
): number | bigint {
  if (Number.isNaN(amount)) raise("ValueError", "cannot convert float NaN to integer")
  if (!Number.isFinite(amount)) raise("OverflowError", "cannot convert float infinity to integer")
  const whole = rounding(amount) + 0
  return Number.isSafeInteger(whole) ? whole : normalizeInteger(BigInt(whole))
}

const literal = /^([+-]?)(0[xXoObB])?(_?[0-9a-zA-Z](?:_?[0-9a-zA-Z])*)$/
const prefixBases: Readonly<Record<string, number>> = { x: 16, o: 8, b: 2 }

function parseInteger(text: string, base: number, budget: StepBudget): Value {
  budget.spend(text.length / 16)
  const fail = (): never =>
    raise(
      "ValueError",
      `invalid literal for int() with base ${base}: ${repr(text.substring(0, 200), budget)}`,
    )
  const match = literal.exec(asciiNumber(text))
  if (match === null) return fail()
  const prefix = match[2]?.[1]!.toLowerCase()
  let digits = match[3]!
  let radix = base
  if (prefix === undefined) {
    if (digits.startsWith("_")) return fail()
  } else if (base === 0 || base === prefixBases[prefix]) {
    radix = prefixBases[prefix]!
  } else {
    // In base 16, "0b1" is the hexadecimal number 0xb1 and has no prefix.
    digits = `0${prefix}${digits}`
  }
  digits = digits.replaceAll("_", "").toLowerCase()
  if (radix === 0) {
    // In base 0, a text without a prefix is decimal and must not have leading zeros.
    if (digits.length > 1 && digits.startsWith("0") && /[^0]/.test(digits)) return fail()
    radix = 10
  }
  for (let index = 0; index < digits.length; index++)
    if (digitOf(digits, index) >= radix) return fail()
  const magnitude = magnitudeOf(digits, radix, budget)
  return match[1] === "-" && magnitude !== 0 ? -magnitude : magnitude
}

function digitOf(digits: string, index: number): number {
  const code = digits.charCodeAt(index)
  return code < 58 ? code - 48 : code - 87
}

function magnitudeOf(digits: string, radix: number, budget: StepBudget): number | bigint {
  const small = Number.parseInt(digits, radix)
  if (digits.length <= 10 || (radix === 10 && Number.isSafeInteger(small))) return small
  const powerOfTwo = (radix & (radix - 1)) === 0
  if (!powerOfTwo && digits.length > maxDigits) {
    raise(
      "ValueError",
      `Exceeds the limit (${maxDigits} digits) for integer string conversion: value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    )
  }
  if (radix === 10) return integerResult(BigInt(digits), budget)
  let value = 0n
  const step = BigInt(radix)
  for (let index = 0; index < digits.length; index++) {
    value = value * step + BigInt(digitOf(digits, index))
    if (index % 100 === 99) integerResult(value, budget)
  }
  return integerResult(value, budget)
}

/**
 * Prepares a text for conversion to a number. Replaces digits of other scripts by ASCII digits and
 * removes surrounding whitespace. Unlike Python's `strip()`, does not remove U+001C to U+001F.
 */
function asciiNumber(text: string): string {
  const isSpace = (code: number): boolean => isPythonSpace(code) && !(code >= 28 && code <= 31)
  let from = 0
  let to = text.length
  while (from < to && isSpace(text.charCodeAt(from))) from++
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  return asciiDigits(text.substring(from, to))
}

const floatLiteral =
  /^[+-]?(?:(?:\d(?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/
const floatWord = /^([+-]?)(?:(inf|infinity)|nan)$/i

/** Implements Python's `float(value)`. */
export function toFloatValue(args: CallArguments): Value {
  expectCount("float", args, 0, 1)
  const value = args.positional[0]
  if (value === undefined) return floatValue(0)
  if (typeof value === "string") return parseFloatText(value, args.budget)
  const amount = amountOf(value)
  if (amount === undefined)
    return raise(
      "TypeError",
      `float() argument must be a string or a real number, not '${typeName(value)}'`,
    )
  return typeof value === "object" ? value : floatValue(toFloat(amount))
}

function parseFloatText(text: string, budget: StepBudget): Value {
  budget.spend(text.length / 16)
  const number = asciiNumber(text)
  const word = floatWord.exec(number)
  if (word !== null) {
    if (word[2] === undefined) return floatValue(Number.NaN)
    return word[1] === "-" ? -Infinity : Infinity
  }
  if (!floatLiteral.test(number))
    return raise("ValueError", `could not convert string to float: ${repr(text, budget)}`)
  return floatValue(Number(number.replaceAll("_", "")))
}
