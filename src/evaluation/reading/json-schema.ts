import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import { camelCase } from "./located-value.js"

const spellingsOf = (name: string): readonly string[] => [...new Set([name, camelCase(name)])]

/**
 * Returns a JSON Schema that also accepts null, because a field with the value null counts as
 * missing in evaluation files.
 */
export const orNull = (schema: SchemaObject): SchemaObject => ({
  anyOf: [schema, { type: "null" }],
})

/**
 * Returns a JSON Schema for an object in which the field `name` is present and not null. The name
 * of the field in the file can be in snake_case or camelCase.
 */
export const requiredFieldSchema = (name: string): SchemaObject => ({
  anyOf: spellingsOf(name).map((spelling) => ({
    required: [spelling],
    properties: { [spelling]: { not: { type: "null" } } },
  })),
})

/**
 * Returns the JSON Schema of an object with these optional fields. Field names in the file can be
 * in snake_case or camelCase. The schema also allows other fields.
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
