import type { Dialect } from "../agent-types/dialects.js"
import type {
  FieldDescription,
  FieldDescriptions,
  FieldSpelling,
  ObjectDescription,
} from "../agent-types/field-description.js"
import type { ValueSchema } from "../agent-types/value-types.js"
import { valueTypes } from "../agent-types/value-types.js"
import { snakeCase } from "../diagnostics/naming.js"

/** A JSON Schema that is an object. A JSON Schema can also be a boolean. */
export type SchemaObject = { readonly [keyword: string]: unknown }

/**
 * Returns the JSON Schema of one kind of config object in one dialect. It rejects unknown fields,
 * so that editors report misspelled names.
 */
export const objectSchema = (description: ObjectDescription, dialect: Dialect): SchemaObject => ({
  ...fieldsSchema(description, dialect),
  additionalProperties: false,
})

/**
 * Returns a JSON Schema that checks the described fields of an object and accepts all other fields.
 * Every accepted name of a field is a property of the schema, but an object may only contain one of
 * the names of a field.
 */
export function fieldsSchema({ fields }: ObjectDescription, dialect: Dialect): SchemaObject {
  const properties: Record<string, ValueSchema> = {}
  const otherSpellings: Record<string, ValueSchema> = {}
  const demands: ValueSchema[] = []
  for (const [key, field] of Object.entries<FieldDescription>(fields)) {
    const spelling = field.dialects[dialect]
    if (spelling === undefined) continue
    const names = spellingsOf(key, spelling)
    names.forEach((name, index) => {
      properties[name] = { description: plainText(field.description), ...fieldSchema(field) }
      const others = names.slice(index + 1)
      if (others.length > 0)
        otherSpellings[name] = {
          properties: Object.fromEntries(others.map((other) => [other, false])),
        }
    })
    if (spelling.missing !== undefined)
      demands.push(presence(fields, dialect, names, spelling.missing.unless))
  }
  return {
    type: "object",
    properties,
    ...(Object.keys(otherSpellings).length > 0 && { dependentSchemas: otherSpellings }),
    ...(demands.length > 0 && { allOf: demands }),
  }
}

/**
 * Returns a JSON Schema that accepts objects with a required field under any of its accepted names.
 * Objects with the field `unless` are also accepted, even if the required field is missing.
 */
function presence(
  fields: FieldDescriptions,
  dialect: Dialect,
  names: readonly string[],
  unless: string | undefined,
): ValueSchema {
  const replacement = Object.entries(fields).find(
    ([key, { dialects }]) => dialects[dialect] !== undefined && key === unless,
  )
  const spelling = replacement?.[1].dialects[dialect]
  const others =
    replacement === undefined || spelling === undefined ? [] : spellingsOf(replacement[0], spelling)
  return {
    anyOf: [...names, ...others].map((name) => ({
      required: [name],
      properties: { [name]: { not: { type: "null" } } },
    })),
  }
}

/** Returns all names that a dialect accepts for a field, in camelCase and snake_case. */
function spellingsOf(key: string, { name = key, aliases = [] }: FieldSpelling): readonly string[] {
  return [...new Set([name, ...aliases].flatMap((word) => [word, snakeCase(word)]))]
}

/** Returns the JSON Schema of the values of a config field. It does not accept `null`. */
export const valueSchemaOf = ({ type, choices }: FieldDescription): ValueSchema =>
  type === "choice" ? { enum: [...(choices ?? [])] } : valueTypes[type]

/**
 * Returns the JSON Schema of a config field. It also accepts `null`, which means the same as a
 * missing field.
 */
function fieldSchema(field: FieldDescription): SchemaObject {
  const schema = valueSchemaOf(field)
  return schema === true ? {} : { anyOf: [schema, { type: "null" }] }
}

/** Returns a Markdown text in which every link is replaced by the text of the link. */
export const plainText = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, (_, text: string) => text)

/**
 * Returns a JSON Schema that consists of cases, each with a condition and a schema. A value must
 * match the schema of the first case whose condition it meets. If it meets no condition, it must
 * match `otherwise`.
 */
export const cases = (
  pairs: readonly (readonly [condition: ValueSchema, schema: ValueSchema])[],
  otherwise: ValueSchema,
): SchemaObject => {
  const [first, ...rest] = pairs
  return first === undefined
    ? { allOf: [otherwise] }
    : // oxlint-disable-next-line unicorn/no-thenable -- `then` is a keyword of JSON Schema
      { if: first[0], then: first[1], else: rest.length === 0 ? otherwise : cases(rest, otherwise) }
}
