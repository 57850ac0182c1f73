import { Validator } from "@cfworker/json-schema"
import type { SchemaObject } from "../../../compiler/schema/object-schema.js"
import { isList } from "../../../machines/data/json-object.js"
import type { ConfigPath } from "./text-location.js"

const isSchema = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns all JSON Schemas that apply to the value at a path of a config. `root` is the schema of
 * the config.
 */
export function schemasAt(
  root: SchemaObject,
  config: unknown,
  path: ConfigPath,
): readonly SchemaObject[] {
  let schemas = expand(root, config, root)
  let value = config
  for (const step of path) {
    value = valueIn(value, step)
    schemas = schemas.flatMap((schema) => expand(schemaOfChild(schema, step), value, root))
  }
  return schemas
}

/**
 * Returns the value of a field of an object, or of an item of a list. Returns undefined if there is
 * no such value.
 */
export function valueIn(value: unknown, step: string | number): unknown {
  if (isList(value)) return value[Number(step)]
  return isSchema(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

function schemaOfChild(schema: SchemaObject, step: string | number): unknown {
  if (typeof step === "number") return schema["items"]
  const { properties, additionalProperties } = schema
  return isSchema(properties) && Object.hasOwn(properties, step)
    ? properties[step]
    : additionalProperties
}

/**
 * Returns a schema and all of its subschemas that apply to the same value. The subschemas are in
 * `$ref`, `allOf`, `anyOf` and `if`.
 */
function expand(schema: unknown, value: unknown, root: SchemaObject): readonly SchemaObject[] {
  if (!isSchema(schema)) return []
  const { $ref: reference, allOf, anyOf } = schema
  const parts = [
    ...(typeof reference === "string" ? [referredTo(reference, root)] : []),
    ...listOf(allOf),
    ...listOf(anyOf),
    ...("if" in schema ? chosenCases(schema, value) : []),
  ]
  return [schema, ...parts.flatMap((part) => expand(part, value, root))]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const referredTo = (reference: string, root: SchemaObject): unknown =>
  reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((schema, name) => (isSchema(schema) ? schema[name] : undefined), root)

/**
 * Returns the schemas that apply in a chain of `if`, `then` and `else`. This is the `then` schema
 * of the first `if` that matches the value. If no `if` matches, this is the last `else` schema. If
 * the last `else` is false, the config is probably incomplete, so all `then` schemas are returned.
 */
function chosenCases(schema: SchemaObject, value: unknown): readonly unknown[] {
  const cases: unknown[] = []
  let current: unknown = schema
  while (isSchema(current) && "if" in current) {
    if (matches(current["if"], value)) return [current["then"]]
    cases.push(current["then"])
    current = current["else"]
  }
  return current === false ? cases : [current]
}

const validators = new WeakMap<SchemaObject, Validator>()

function matches(condition: unknown, value: unknown): boolean {
  if (!isSchema(condition)) return condition === true
  const known = validators.get(condition)
  const validator = known ?? new Validator(condition, "2020-12")
  if (known === undefined) validators.set(condition, validator)
  return validator.validate(value ?? {}).valid
}
