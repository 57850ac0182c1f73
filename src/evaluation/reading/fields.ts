import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import { objectSchema, present } from "./json-schema.js"
import type { ListPlace, ObjectPlace, Place, TypedReader } from "./place.js"
import { fieldOf } from "./place.js"

/** One field of an object in an evaluation file. */
export interface EvaluationField<Value> {
  readonly isRequired: boolean
  readonly schema: SchemaObject
  /** Returns null if the field is missing, or if its type is wrong. */
  read(place: Place, reader: TypedReader): Value | null
}

/** The fields of an object, by their names in snake_case. */
export type EvaluationFields<Values> = {
  readonly [Name in keyof Values]: EvaluationField<Values[Name]>
}

/** Reads a field of an object, whose name may be in snake_case or in camelCase. */
export const readField = <Values, Name extends keyof Values & string>(
  reader: TypedReader,
  place: ObjectPlace,
  fields: EvaluationFields<Values>,
  name: Name,
): Values[Name] | null => fields[name].read(fieldOf(place, name), reader)

interface FieldOptions {
  readonly isRequired?: boolean
  /** Keywords of JSON Schema for the value. */
  readonly schema?: SchemaObject
}

/** Describes a field with a text. */
export const textField = (
  description: string,
  { isRequired = false, schema = {} }: FieldOptions = {},
): EvaluationField<string> => ({
  isRequired,
  schema: { description, type: "string", ...schema },
  read: (place, reader) => (isRequired ? reader.requiredText(place) : reader.text(place)),
})

/** Describes a field with an object. */
export const objectField = (
  description: string,
  { isRequired = false, schema = {} }: FieldOptions = {},
): EvaluationField<ObjectPlace> => ({
  isRequired,
  schema: { description, type: "object", ...schema },
  read: (place, reader) => (isRequired ? reader.requiredObject(place) : reader.object(place)),
})

/** Describes a field with a list. */
export const listField = (
  description: string,
  items: SchemaObject,
  { isRequired = false, schema = {} }: FieldOptions = {},
): EvaluationField<ListPlace> => ({
  isRequired,
  schema: { description, type: "array", items, ...schema },
  read: (place, reader) => (isRequired ? reader.requiredList(place) : reader.list(place)),
})

/** Returns the schemas of the values of fields. */
export const fieldSchemas = (
  fields: Readonly<Record<string, EvaluationField<unknown>>>,
): Readonly<Record<string, SchemaObject>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))

/** Returns the JSON Schema of an object with these fields. It accepts other fields. */
export function fieldsSchema(
  fields: Readonly<Record<string, EvaluationField<unknown>>>,
): SchemaObject {
  const required = Object.keys(fields).filter((name) => fields[name]?.isRequired)
  return {
    ...objectSchema(fieldSchemas(fields)),
    ...(required.length === 0 ? {} : { allOf: required.map(present) }),
  }
}
