import type { Checking, Schema } from "./checking.js"
import { checkArray } from "./check-array.js"
import { checkObject } from "./check-object.js"
import { checkNumber, checkText } from "./check-plain-value.js"
import type { Evaluated } from "./evaluated.js"
import {
  type SchemaViolation,
  type Location,
  abbreviated,
  moreSpecific,
} from "./schema-violation.js"
import { typeOf } from "./json-values.js"

/**
 * Validates a value against all keywords of a JSON Schema. Returns the most specific violation, or
 * null if the value is valid. Adds the validated properties and items to `evaluated`.
 *
 * `value` may be a part of a larger value. `location` is its location in the larger value, and null
 * for the root.
 */
export function checkSchema(
  checking: Checking,
  schema: unknown,
  value: unknown,
  location: Location | null,
  evaluated: Evaluated | null,
): SchemaViolation | null {
  checking.meter.spend(1)
  if (schema === true) return null
  if (schema === false) return { location, message: () => "False boolean schema.", isSilent: true }
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return null
  const given = schema as Schema
  const type = typeOf(value)
  let failure: SchemaViolation | null = null
  const add = (found: SchemaViolation | null): void => {
    failure = moreSpecific(failure, found)
  }
  const fail = (message: () => string): void => add({ location, message })
  const check = (inner: unknown, into: Evaluated | null): SchemaViolation | null =>
    checking.check(inner, value, location, into)

  for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
    const reference = given[keyword]
    if (typeof reference === "string")
      add(check(checking.references.resolve(reference, given), evaluated))
  }
  if (given["type"] !== undefined && !hasType(value, type, given["type"])) {
    const wanted = [given["type"]].flat()
    fail(() => `Instance type "${type}" is invalid. Expected "${wanted.join('", "')}".`)
  }
  if ("const" in given && !checking.isAmong(value, [given["const"]], given))
    fail(() => `Instance does not match ${abbreviated(given["const"])}.`)
  const { enum: values } = given
  if (Array.isArray(values) && !checking.isAmong(value, values, values))
    fail(() => `Instance does not match any of ${abbreviated(values)}.`)
  if (given["not"] !== undefined && check(given["not"], checking.newEvaluated()) === null)
    fail(() => 'Instance matched "not" schema.')
  add(checkAlternatives(checking, given, location, evaluated, check))
  if (given["if"] !== undefined) {
    const branch = check(given["if"], evaluated) === null ? "then" : "else"
    if (given[branch] !== undefined) add(check(given[branch], evaluated))
  }
  if (type === "object") add(checkObject(checking, given, value as Schema, location, evaluated))
  else if (type === "array")
    add(checkArray(checking, given, value as readonly unknown[], location, evaluated))
  else if (typeof value === "number") add(checkNumber(given, value, location))
  else if (typeof value === "string") add(checkText(checking, given, value, location))
  return failure
}

function checkAlternatives(
  checking: Checking,
  given: Schema,
  location: Location | null,
  evaluated: Evaluated | null,
  check: (inner: unknown, into: Evaluated | null) => SchemaViolation | null,
): SchemaViolation | null {
  let failure: SchemaViolation | null = null
  const { anyOf, allOf, oneOf } = given
  if (Array.isArray(allOf))
    for (const inner of allOf) failure = moreSpecific(failure, check(inner, evaluated))
  for (const [kind, schemas] of [
    ["any", anyOf],
    ["one", oneOf],
  ] as const) {
    if (!Array.isArray(schemas)) continue
    let matches = 0
    let inside: SchemaViolation | null = null
    for (const inner of schemas) {
      checking.meter.spend(1)
      const into = checking.newEvaluated()
      const found = check(inner, into)
      inside = moreSpecific(inside, found)
      if (found !== null) continue
      matches++
      if (into !== null) evaluated?.add(into, checking.meter)
    }
    const message =
      kind === "any"
        ? "Instance does not match any subschemas."
        : `Instance does not match exactly one subschema (${matches} matches).`
    if (kind === "any" ? matches === 0 : matches !== 1)
      failure = moreSpecific(moreSpecific(failure, { location, message: () => message }), inside)
  }
  return failure
}

function hasType(value: unknown, type: string, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((one) => hasType(value, type, one))
  return type === wanted || (wanted === "integer" && Number.isInteger(value))
}
