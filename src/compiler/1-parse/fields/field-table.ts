import type { MissingField } from "../../agent-types/field-description.js"
import type { Dialect } from "../../agent-types/dialects.js"
import { snakeCase } from "../../diagnostics/naming.js"
import type { ParserLocation } from "../context/parser-context.js"

/**
 * A function that parses one value of a config. If the value is invalid, the function reports an
 * error and returns null.
 */
export type Reader<Value> = (value: unknown, location: ParserLocation) => Value | null

export interface Field<Value> {
  readonly read: Reader<Value>
  /** The diagnostic to report if the field is missing. Undefined if the field is optional. */
  readonly missing?: MissingField
}

export type Fields = Readonly<Record<string, Field<unknown>>>

/**
 * The accepted fields of one kind of config object, such as an agent type, a tool type or a group
 * of settings.
 */
export interface FieldTable<Table extends Fields = Fields> {
  /** Name of the object for messages, with its article, such as `a LoopAgent`. */
  readonly name: string
  readonly fields: Table
  /**
   * Maps each accepted spelling of a field name, in camelCase and snake_case, to the field's name
   * in this table.
   */
  readonly spellings: ReadonlyMap<string, string>
  /**
   * Names that other systems use for these fields, such as `instruction` for `instructions`. These
   * names are not accepted, but the error message suggests the correct field.
   */
  readonly synonyms: Readonly<Record<string, string>>
  /**
   * The fields that the object only has in another dialect. The map contains that dialect for each
   * accepted spelling of a field.
   */
  readonly otherDialects: ReadonlyMap<string, Dialect>
  /**
   * Whether the object belongs to another system and may have further fields. If true, an unknown
   * field is only reported if it looks like a misspelled field.
   */
  readonly foreign: boolean
  /**
   * Whether a field that belongs to a related object type is an error instead of a warning. It is
   * an error in ADK's classes, which reject unknown fields.
   */
  readonly strict: boolean
}

export interface TableOptions {
  readonly synonyms?: Readonly<Record<string, string>>
  /** Other accepted field names. Each value is the name of the field in the table. */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * The fields that the object only has in another dialect. The map contains that dialect for each
   * field name.
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
