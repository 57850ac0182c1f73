import type { StepBudget } from "../limits/step-budget.js"
import { toFloat } from "../operators/arithmetic.js"
import { codePointLength, unitOffset } from "../characters/code-points.js"
import { raise } from "../limits/condition-failed.js"
import { formatMagnitude } from "../numbers/float-text.js"
import type { FormatSpec } from "../syntax/format-spec.js"
import { decimalText } from "../numbers/integer-text.js"
import { textOf } from "../collections/repr.js"
import { amountOf, integerOf, typeName, type Value } from "../values/values.js"

/**
 * Formats a value like Python's `format(value, spec)`. If `spec` is null, the specification is
 * empty.
 */
export function formatValue(value: Value, spec: FormatSpec | null, budget: StepBudget): string {
  if (spec === null) return textOf(value, budget)
  if (typeof value === "string") return formatText(value, spec, budget)
  const integer = integerOf(value)
  if (integer !== undefined) return formatInteger(integer, value, spec, budget)
  const amount = amountOf(value)
  if (amount !== undefined) return formatFloat(Number(amount), value, spec, budget)
  return raise("TypeError", `unsupported format string passed to ${typeName(value)}.__format__`)
}

function formatText(text: string, spec: FormatSpec, budget: StepBudget): string {
  checkGrouping(spec, "s")
  if (spec.type !== "" && spec.type !== "s") unknownCode(spec, text)
  if (spec.sign !== null) raise("ValueError", "Sign not allowed in string format specifier")
  if (spec.align === "=")
    raise("ValueError", "'=' alignment not allowed in string format specifier")
  budget.read(text)
  const cut =
    spec.precision === null || text.length <= spec.precision
      ? text
      : firstCodePoints(text, spec.precision)
  return padded("", cut, spec, spec.align ?? "<")
}

function firstCodePoints(text: string, count: number): string {
  // A code point has at most two UTF-16 units, so a prefix with twice the number of units is
  // sufficient.
  const start = text.substring(0, 2 * count)
  return start.substring(0, unitOffset(start, count))
}

function formatInteger(
  integer: number | bigint,
  value: Value,
  spec: FormatSpec,
  budget: StepBudget,
): string {
  checkGrouping(spec, "d")
  switch (spec.type) {
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G":
    case "%":
      return formatFloat(toFloat(integer), value, spec, budget)
    case "":
    case "d":
      if (spec.precision !== null)
        raise("ValueError", "Precision not allowed in integer format specifier")
      return formatNumber(
        integer < 0,
        decimalText(integer < 0 ? -integer : integer, budget),
        "",
        3,
        spec,
      )
    case "b":
    case "o":
    case "x":
    case "X": {
      if (spec.precision !== null)
        raise("ValueError", "Precision not allowed in integer format specifier")
      const digits = (integer < 0 ? -integer : integer).toString(
        spec.type === "b" ? 2 : spec.type === "o" ? 8 : 16,
      )
      return formatNumber(
        integer < 0,
        spec.type === "X" ? digits.toUpperCase() : digits,
        "",
        4,
        spec,
      )
    }
  }
  return unknownCode(spec, value)
}

function formatFloat(amount: number, value: Value, spec: FormatSpec, budget: StepBudget): string {
  // The number of steps increases with the number of exact digits.
  budget.spend(
    6 +
      ((spec.precision ?? 0) +
        (amount === 0 ? 0 : Math.min(310, Math.abs(Math.log10(Math.abs(amount)))))) /
        12,
  )
  checkGrouping(spec, "f")
  const negative = amount < 0 || Object.is(amount, -0)
  let text: string
  switch (spec.type) {
    case "":
      text = formatMagnitude(amount, "repr", spec.precision)
      break
    case "e":
    case "E":
      text = formatMagnitude(amount, "e", spec.precision)
      break
    case "f":
    case "F":
      text = formatMagnitude(amount, "f", spec.precision)
      break
    case "g":
    case "G":
      text = formatMagnitude(amount, "g", spec.precision)
      break
    case "%":
      text = `${formatMagnitude(amount * 100, "f", spec.precision)}%`
      break
    default:
      return unknownCode(spec, value)
  }
  if (spec.type === "E" || spec.type === "F" || spec.type === "G") text = text.toUpperCase()
  let whole = 0
  while (whole < text.length && text[whole]! >= "0" && text[whole]! <= "9") whole++
  return formatNumber(negative, text.substring(0, whole), text.substring(whole), 3, spec)
}

/**
 * Joins the sign, the grouped digits and the suffix of a number. Zeros that fill the width are
 * grouped like other digits.
 */
function formatNumber(
  negative: boolean,
  digits: string,
  rest: string,
  groupLength: number,
  spec: FormatSpec,
): string {
  const sign = negative ? "-" : spec.sign === "+" || spec.sign === " " ? spec.sign : ""
  const align = spec.align ?? (spec.zero ? "=" : ">")
  const room = spec.fill === "0" && align === "=" ? spec.width - sign.length - rest.length : 0
  const grouped = digits === "" ? "" : group(digits, spec.grouping, groupLength, room)
  return padded(sign, grouped + rest, spec, align)
}

function group(digits: string, separator: string | null, length: number, room: number): string {
  if (separator === null) return digits.padStart(room, "0")
  let result = ""
  let remaining = digits.length
  let width = room
  for (;;) {
    const size = Math.min(length, Math.max(remaining, width, 1))
    const taken = Math.min(size, remaining)
    result = digits.substring(remaining - taken, remaining).padStart(size, "0") + result
    remaining -= taken
    width -= size
    if (remaining <= 0 && width <= 0) return result
    result = separator + result
    width -= 1
  }
}

function padded(
  sign: string,
  body: string,
  spec: FormatSpec,
  align: "<" | ">" | "=" | "^",
): string {
  const missing = spec.width - sign.length - codePointLength(body)
  if (missing <= 0) return sign + body
  switch (align) {
    case "<":
      return sign + body + spec.fill.repeat(missing)
    case ">":
      return spec.fill.repeat(missing) + sign + body
    case "=":
      return sign + spec.fill.repeat(missing) + body
    case "^": {
      const left = Math.floor(missing / 2)
      return spec.fill.repeat(left) + sign + body + spec.fill.repeat(missing - left)
    }
  }
}

/**
 * Raises a Python ValueError if the format type does not support grouping. As in Python, this is
 * checked before the type of the value.
 */
function checkGrouping(spec: FormatSpec, defaultType: string): void {
  const type = spec.type === "" ? defaultType : spec.type
  if (
    spec.grouping === null ||
    "deEfFgG%".includes(type) ||
    (spec.grouping === "_" && "boxX".includes(type))
  )
    return
  raise("ValueError", `Cannot specify '${spec.grouping}' with '${type}'.`)
}

function unknownCode(spec: FormatSpec, value: Value): never {
  if (spec.type.length > 1) raise("ValueError", "Invalid format specifier")
  return raise(
    "ValueError",
    `Unknown format code '${spec.type}' for object of type '${typeName(value)}'`,
  )
}
