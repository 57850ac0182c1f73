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
  /** Name of the object in diagnostics, with its article, such as `a LoopAgent`. */
  readonly name: string
  readonly fields: Table
  /**
   * Maps each accepted spelling of a field name, in camelCase and snake_case, to the field's name
   * in this table.
   */
  readonly spellings: ReadonlyMap<string, string>
  /**
   * Maps field names of other systems to the fields in this table, such as `instruction` to
   * `instructions`. The names of other systems are not accepted, but the error message suggests the
   * correct field.
   */
  readonly synonyms: Readonly<Record<string, string>>
  /**
   * The dialect of each field that this object only has in another dialect. The keys are all
   * accepted spellings of these fields.
   */
  readonly otherDialects: ReadonlyMap<string, Dialect>
  /**
   * Whether another system defines the object, such as a Graph Compose node, and may add other
   * fields to it. If true, an unknown field is only reported if it looks like a misspelled field.
   */
  readonly foreign: boolean
  /**
   * Whether a field of another object type is an error, such as a LoopAgent's `maxIterations` in an
   * LlmAgent. If false, it is a warning. ADK's classes reject unknown fields, so it is an error
   * there.
   */
  readonly strict: boolean
}

export interface TableOptions {
  readonly synonyms?: Readonly<Record<string, string>>
  /** Other accepted field names. Each value is the name of the field in the table. */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * The dialect of each field that this object only has in another dialect. The keys are the names
   * of these fields.
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
