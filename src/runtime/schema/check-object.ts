import type { Checking, Schema } from "./checking.js"
import type { Evaluated } from "./evaluated.js"
import type { SchemaMeter } from "./schema-meter.js"
import { type SchemaViolation, inside, type Location, moreSpecific } from "./schema-violation.js"

const isMap = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function entriesOf(map: unknown, meter: SchemaMeter): readonly (readonly [string, unknown])[] {
  if (!isMap(map)) return []
  const entries = Object.entries(map)
  meter.spend(entries.length)
  return entries
}

/**
 * Validates an object against the object keywords of a JSON Schema. Returns the most specific
 * violation, or null if the object is valid. `location` is the location of the object in the
 * validated value.
 */
export function checkObject(
  checking: Checking,
  schema: Schema,
  value: Schema,
  location: Location | null,
  evaluated: Evaluated | null,
): SchemaViolation | null {
  const { meter } = checking
  let failure: SchemaViolation | null = null
  const add = (found: SchemaViolation | null): void => {
    failure = moreSpecific(failure, found)
  }
  const fail = (message: () => string): void => add({ location, message })
  const keys = Object.keys(value)
  meter.spend(keys.length / 8)
  const requireAll = (names: unknown, message: (name: string) => string): void => {
    if (!Array.isArray(names)) return
    meter.spend(names.length / 2)
    for (const name of names)
      if (!Object.hasOwn(value, String(name))) fail(() => message(String(name)))
  }
  const checkWhole = (inner: unknown): SchemaViolation | null =>
    checking.check(inner, value, location, evaluated)

  requireAll(schema["required"], (name) => `Instance does not have required property "${name}".`)
  const { minProperties, maxProperties, propertyNames } = schema
  if (typeof minProperties === "number" && keys.length < minProperties)
    fail(() => `Instance does not have at least ${minProperties} properties.`)
  if (typeof maxProperties === "number" && keys.length > maxProperties)
    fail(() => `Instance has more than ${maxProperties} properties.`)
  if (propertyNames !== undefined)
    for (const key of keys) {
      const found = checking.check(
        propertyNames,
        key,
        inside(location, key),
        checking.newEvaluated(),
      )
      if (found !== null) fail(() => `Property name "${key}" does not match schema.`)
      add(found)
    }
  for (const [key, names] of entriesOf(schema["dependentRequired"], meter))
    if (Object.hasOwn(value, key))
      requireAll(names, (name) => `Instance has "${key}" but does not have "${name}".`)
  for (const [key, inner] of [
    ...entriesOf(schema["dependentSchemas"], meter),
    ...entriesOf(schema["dependencies"], meter),
  ]) {
    if (!Object.hasOwn(value, key)) continue
    if (Array.isArray(inner))
      requireAll(inner, (name) => `Instance has "${key}" but does not have "${name}".`)
    else add(checkWhole(inner))
  }

  const seen = new Set<string>()
  const checkKey = (key: string, inner: unknown, message: string): void => {
    seen.add(key)
    const found = checking.check(inner, value[key], inside(location, key), checking.newEvaluated())
    if (found === null) evaluated?.properties.add(key)
    else {
      fail(() => `Property "${key}" ${message}.`)
      add(found)
    }
  }
  for (const [key, inner] of entriesOf(schema["properties"], meter)) {
    if (Object.hasOwn(value, key)) checkKey(key, inner, "does not match schema")
  }
  for (const [pattern, inner] of entriesOf(schema["patternProperties"], meter))
    for (const key of keys) {
      meter.spend(1)
      if (checking.matches(pattern, key))
        checkKey(key, inner, `matches pattern "${pattern}" but does not match its schema`)
    }
  const { additionalProperties, unevaluatedProperties } = schema
  if (additionalProperties !== undefined) {
    for (const key of keys)
      if (!seen.has(key))
        checkKey(key, additionalProperties, "does not match additional properties schema")
  } else if (unevaluatedProperties !== undefined) {
    for (const key of keys)
      if (evaluated?.properties.has(key) !== true)
        checkKey(key, unevaluatedProperties, "does not match unevaluated properties schema")
  }
  return failure
}
