import { format } from "@cfworker/json-schema"
import type { Checking, Schema } from "./checking.js"
import { type SchemaViolation, type Location, moreSpecific } from "./schema-violation.js"
import { lengthOf } from "./json-values.js"

/**
 * Validates a number against the number keywords of a JSON Schema. Returns a violation, or null if
 * the number is valid. `location` is the location of the number in the validated value.
 */
export function checkNumber(
  schema: Schema,
  value: number,
  location: Location | null,
): SchemaViolation | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  let failure: SchemaViolation | null = null
  const fail = (message: string): void => {
    failure = moreSpecific(failure, { location, message: () => message })
  }
  if (typeof minimum === "number" && value < minimum) fail(`${value} is less than ${minimum}.`)
  if (typeof maximum === "number" && value > maximum) fail(`${value} is greater than ${maximum}.`)
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    fail(`${value} is less than or equal to ${exclusiveMinimum}.`)
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    fail(`${value} is greater than or equal to ${exclusiveMaximum}.`)
  if (typeof multipleOf === "number" && !isMultiple(value, multipleOf))
    fail(`${value} is not a multiple of ${multipleOf}.`)
  return failure
}

/**
 * Returns true if `value` is a multiple of `factor`. Ignores rounding errors, so 0.3 is a multiple
 * of 0.1.
 */
function isMultiple(value: number, factor: number): boolean {
  const rest = Math.abs(value % factor)
  return rest < 1.1920929e-7 || Math.abs(Math.abs(factor) - rest) < 1.1920929e-7
}

/**
 * Maximum length of a string that can match the keyword `format`, in characters. A longer string is
 * always a violation, so that the check stays fast.
 */
const longestFormatted = 10_000

/**
 * Validates a string against the string keywords of a JSON Schema. Returns a violation, or null if
 * the string is valid. `location` is the location of the string in the validated value.
 */
export function checkText(
  checking: Checking,
  schema: Schema,
  value: string,
  location: Location | null,
): SchemaViolation | null {
  const { meter } = checking
  const { minLength, maxLength, pattern, format: kind } = schema
  let failure: SchemaViolation | null = null
  const fail = (message: string): void => {
    failure = moreSpecific(failure, { location, message: () => message })
  }
  if (minLength !== undefined || maxLength !== undefined) {
    meter.spend(value.length / 32)
    const length = lengthOf(value)
    if (typeof minLength === "number" && length < minLength)
      fail(`String is too short (${length} < ${minLength}).`)
    if (typeof maxLength === "number" && length > maxLength)
      fail(`String is too long (${length} > ${maxLength}).`)
  }
  if (typeof pattern === "string" && !checking.matches(pattern, value))
    fail("String does not match pattern.")
  if (typeof kind === "string" && !hasFormat(kind, value, meter.spend))
    fail(`String does not match format "${kind}".`)
  return failure
}

function hasFormat(kind: string, value: string, spend: (checks: number) => void): boolean {
  // The pattern of the format package for `url` can take exponential time.
  if (kind === "url") return /^(?:https?|ftp):\/\/[^\s/]/i.test(value) && URL.canParse(value)
  const check = Object.hasOwn(format, kind) ? format[kind] : undefined
  if (check === undefined) return true
  spend(1 + value.length / 8)
  return value.length <= longestFormatted && check(value)
}
