import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import { camelCase } from "./place.js"

const spellingsOf = (name: string): readonly string[] => [...new Set([name, camelCase(name)])]

/**
 * Returns a schema that also accepts null, because a field with the value null is treated like a
 * missing field.
 */
export const orNull = (schema: SchemaObject): SchemaObject => ({
  anyOf: [schema, { type: "null" }],
})

/**
 * Returns a schema for an object in which the field `name` must be present and not null. The name
 * may be in snake_case or camelCase.
 */
export const present = (name: string): SchemaObject => ({
  anyOf: spellingsOf(name).map((spelling) => ({
    required: [spelling],
    properties: { [spelling]: { not: { type: "null" } } },
  })),
})

/**
 * Returns the schema of an object with these optional fields. Their names may be in snake_case or
 * camelCase. The schema also allows other fields.
 */
export const objectSchema = (fields: Readonly<Record<string, SchemaObject>>): SchemaObject => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).flatMap(([name, { description, ...schema }]) =>
      spellingsOf(name).map((spelling) => [
        spelling,
        { ...(description !== undefined && { description }), ...orNull(schema) },
      ]),
    ),
  ),
})
