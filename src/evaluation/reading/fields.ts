import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import { objectSchema, requiredFieldSchema } from "./json-schema.js"
import type { LocatedList, LocatedObject, LocatedValue, TypedReader } from "./located-value.js"
import { fieldOf } from "./located-value.js"

/**
 * Definition of a field in the JSON objects of an evaluation file. It contains the JSON Schema of
 * the field and a function that reads the value.
 */
export interface EvaluationField<Value> {
  readonly isRequired: boolean
  readonly schema: SchemaObject
  /** Reads the value of the field. Returns null if the field is missing or has the wrong type. */
  read(located: LocatedValue, reader: TypedReader): Value | null
}

/**
 * Definitions of the fields of a JSON object, by field name in snake_case. `Values` contains the
 * type of each field value.
 */
export type EvaluationFields<Values> = {
  readonly [Name in keyof Values]: EvaluationField<Values[Name]>
}

/**
 * Reads the value of a field of a JSON object. The name of the field in the file can be in
 * snake_case or camelCase.
 */
export const readField = <Values, Name extends keyof Values & string>(
  reader: TypedReader,
  located: LocatedObject,
  fields: EvaluationFields<Values>,
  name: Name,
): Values[Name] | null => fields[name].read(fieldOf(located, name), reader)

interface FieldOptions {
  readonly isRequired?: boolean
  /** JSON Schema keywords to add to the schema of the value. */
  readonly schema?: SchemaObject
}

/** Defines a field with a string value for the JSON objects of an evaluation file. */
export const textField = (
  description: string,
  { isRequired = false, schema = {} }: FieldOptions = {},
): EvaluationField<string> => ({
  isRequired,
  schema: { description, type: "string", ...schema },
  read: (located, reader) => (isRequired ? reader.requiredText(located) : reader.text(located)),
})

/** Defines a field with an object as value for the JSON objects of an evaluation file. */
export const objectField = (
  description: string,
  { isRequired = false, schema = {} }: FieldOptions = {},
): EvaluationField<LocatedObject> => ({
  isRequired,
  schema: { description, type: "object", ...schema },
  read: (located, reader) => (isRequired ? reader.requiredObject(located) : reader.object(located)),
})

/** Defines a field with an array as value for the JSON objects of an evaluation file. */
export const listField = (
  description: string,
  items: SchemaObject,
  { isRequired = false, schema = {} }: FieldOptions = {},
): EvaluationField<LocatedList> => ({
  isRequired,
  schema: { description, type: "array", items, ...schema },
  read: (located, reader) => (isRequired ? reader.requiredList(located) : reader.list(located)),
})

/** Returns the JSON Schemas of field values, by field name. */
export const fieldSchemas = (
  fields: Readonly<Record<string, EvaluationField<unknown>>>,
): Readonly<Record<string, SchemaObject>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))

/** Returns the JSON Schema of an object with these fields. The schema also allows other fields. */
export function fieldsSchema(
  fields: Readonly<Record<string, EvaluationField<unknown>>>,
): SchemaObject {
  const required = Object.keys(fields).filter((name) => fields[name]?.isRequired)
  return {
    ...objectSchema(fieldSchemas(fields)),
    ...(required.length > 0 && { allOf: required.map(requiredFieldSchema) }),
  }
}
