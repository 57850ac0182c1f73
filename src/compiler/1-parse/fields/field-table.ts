import type { MissingField } from "../../agent-types/field-description.js"
import type { Dialect } from "../../agent-types/dialects.js"
import { snakeCase } from "../../diagnostics/naming.js"
import type { ParserLocation } from "../context/parser-context.js"

/**
 * A function that reads one value of a config. If the value is invalid, it reports an error and
 * returns null.
 */
export type Reader<Value> = (value: unknown, location: ParserLocation) => Value | null

export interface Field<Value> {
  readonly read: Reader<Value>
  /** The diagnostic for a missing field. Absent: the field is optional. */
  readonly missing?: MissingField
}

export type Fields = Readonly<Record<string, Field<unknown>>>

/**
 * The accepted fields of one kind of object, such as an agent type, a tool type or a group of
 * settings.
 */
export interface FieldTable<Table extends Fields = Fields> {
  /** Name of the object in messages, with its article: `a LoopAgent`. */
  readonly name: string
  readonly fields: Table
  /**
   * Maps each accepted name of a field, in camelCase and snake_case, to the field's name in this
   * table.
   */
  readonly spellings: ReadonlyMap<string, string>
  /**
   * Names that other systems use for these fields, such as `instruction` for `instructions`. They
   * are not accepted, but the error message suggests the right name.
   */
  readonly synonyms: Readonly<Record<string, string>>
  /**
   * The fields that this object has only in another dialect. Maps each of their accepted names to
   * this dialect.
   */
  readonly otherDialects: ReadonlyMap<string, Dialect>
  /**
   * Whether the object belongs to another system and may have further fields. If so, an unknown
   * field is only reported if it looks like a misspelled field.
   */
  readonly foreign: boolean
  /**
   * Whether an unknown field that a related object type accepts is an error instead of a warning.
   * It is an error in ADK's classes, which reject unknown fields.
   */
  readonly strict: boolean
}

export interface TableOptions {
  readonly synonyms?: Readonly<Record<string, string>>
  /** Other accepted names, with the field that each one refers to. */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * The fields that this object has only in another dialect. Maps the name of each field to this
   * dialect.
   */
  readonly otherDialects?: ReadonlyMap<string, Dialect>
  readonly foreign?: boolean
  readonly strict?: boolean
}

export const fieldTable = <Table extends Fields>(
  name: string,
  fields: Table,
  {
    synonyms = {},
    aliases = {},
    otherDialects = new Map(),
    foreign = false,
    strict = false,
  }: TableOptions = {},
): FieldTable<Table> => ({
  name,
  fields,
  spellings: new Map(
    [
      ...Object.keys(fields).map((field) => [field, field] as const),
      ...Object.entries(aliases),
    ].flatMap(
      ([name, field]) =>
        [
          [name, field],
          [snakeCase(name), field],
        ] as const,
    ),
  ),
  synonyms,
  otherDialects: new Map(
    [...otherDialects].flatMap(([name, dialect]) => [
      [name, dialect],
      [snakeCase(name), dialect],
    ]),
  ),
  foreign,
  strict,
})

export const optional = <Value>(read: Reader<Value>): Field<Value> => ({ read })

export const required = <Value>(
  read: Reader<Value>,
  fix: string,
  more: Pick<MissingField, "because" | "unless"> = {},
): Field<Value> => ({ read, missing: { code: "missing_field", fix, ...more } })
