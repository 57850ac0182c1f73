import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"

/**
 * Returns an example value that is valid for a JSON Schema. Returns the first allowed value, or the
 * smallest value of the type. Supports the keywords that are common in tool parameters.
 */
export function sampleFromSchema(schema: JsonObject): unknown {
  if (Object.hasOwn(schema, "const")) return schema["const"]
  if (Object.hasOwn(schema, "default")) return schema["default"]
  const { enum: allowed, anyOf, oneOf, type } = schema
  if (Array.isArray(allowed)) return allowed[0]
  const alternative: unknown = Array.isArray(anyOf)
    ? anyOf[0]
    : Array.isArray(oneOf)
      ? oneOf[0]
      : undefined
  if (isJsonObject(alternative)) return sampleFromSchema(alternative)
  switch (Array.isArray(type) ? type[0] : type) {
    case "string":
      return "x".repeat(atLeast(schema["minLength"], 1))
    case "number":
    case "integer":
      return numberOf(schema)
    case "boolean":
      return true
    case "null":
      return null
    case "array": {
      const items = schema["items"]
      return Array.from({ length: atLeast(schema["minItems"], 0) }, () =>
        isJsonObject(items) ? sampleFromSchema(items) : null,
      )
    }
    default:
      return requiredProperties(schema)
  }
}

const atLeast = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? Math.max(value, otherwise) : otherwise

function numberOf({ minimum, exclusiveMinimum, maximum }: JsonObject): number {
  if (typeof minimum === "number") return Math.ceil(minimum)
  if (typeof exclusiveMinimum === "number") return Math.floor(exclusiveMinimum) + 1
  return typeof maximum === "number" ? Math.min(1, Math.floor(maximum)) : 1
}

/** Returns an object with an example value for each required property of a JSON Schema. */
export function requiredProperties({ properties, required }: JsonObject): JsonObject {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : []
  const schemas = isJsonObject(properties) ? properties : {}
  return Object.fromEntries(
    names.map((name) => {
      const own: unknown = Object.hasOwn(schemas, name) ? schemas[name] : undefined
      return [name, isJsonObject(own) ? sampleFromSchema(own) : "x"]
    }),
  )
}

/**
 * Returns example objects that are valid for a JSON Schema. Each differs in one field from the
 * result of `sampleFromSchema`, for example in a boolean or an enum value.
 */
export function samplesOfFields(schema: JsonObject): readonly JsonObject[] {
  const sample = sampleFromSchema(schema)
  const fields = schema["properties"]
  if (!isJsonObject(sample) || !isJsonObject(fields)) return []
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!isJsonObject(field)) return []
    const values: readonly unknown[] = Array.isArray(field["enum"])
      ? field["enum"].slice(1)
      : field["type"] === "boolean"
        ? [false, true]
        : []
    return values.map((value) => ({ ...sample, [name]: value }))
  })
}
