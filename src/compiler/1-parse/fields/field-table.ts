import type { MissingField } from "../../agent-types/field-description.js"
import type { Dialect } from "../../agent-types/dialects.js"
import { snakeCase } from "../../diagnostics/naming.js"
import type { ParserLocation } from "../context/parser-context.js"

/** Reads one value of a config. If the value is invalid, reports an error and returns null. */
export type Reader<Value> = (value: unknown, at: ParserLocation) => Value | null

export interface Field<Value> {
  readonly read: Reader<Value>
  /** The diagnostic for a missing field. If absent, the field is optional. */
  readonly missing?: MissingField
}

export type Fields = Readonly<Record<string, Field<unknown>>>

/** The fields of one kind of object, such as an agent type, a tool type or a group of settings. */
export interface FieldTable<Table extends Fields = Fields> {
  /** Name of the object in messages, with its article: `a LoopAgent`. */
  readonly name: string
  readonly fields: Table
  /** The field name for each accepted spelling. */
  readonly spellings: ReadonlyMap<string, string>
  /**
   * Names that other systems use for these fields, such as `instruction` for `instructions`. They
   * are not accepted, but lead to a suggestion.
   */
  readonly synonyms: Readonly<Record<string, string>>
  /** The dialect of each field that the object has only in another dialect, by its spellings. */
  readonly otherDialects: ReadonlyMap<string, Dialect>
  /**
   * Whether the object belongs to another system and may have further fields. Unknown fields are
   * then only reported if they look like a misspelled field.
   */
  readonly foreign: boolean
  /**
   * Whether a field of a related object type is an error instead of a warning. In ADK, classes
   * reject unknown fields.
   */
  readonly strict: boolean
}

export interface TableOptions {
  readonly synonyms?: Readonly<Record<string, string>>
  /** Other accepted names, with the field that each one refers to. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The dialect of each field that the object has only in another dialect, by name. */
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
