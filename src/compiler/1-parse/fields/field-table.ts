import type { MissingField } from "../../agent-types/field-description.js"
import { snakeCase } from "../../diagnostics/naming.js"
import type { ParserLocation } from "../context/parser-context.js"

/** Reads one value. Null: it was refused, and the reader has said why. */
export type Reader<Value> = (value: unknown, at: ParserLocation) => Value | null

export interface Field<Value> {
  readonly read: Reader<Value>
  /** What to say when the field is not there; without this it may be left out. */
  readonly missing?: MissingField
}

export type Fields = Readonly<Record<string, Field<unknown>>>

/** The fields of one kind of object: an agent type, a tool type, a group of settings. */
export interface FieldTable<Table extends Fields = Fields> {
  /** As it stands in a sentence: `a LoopAgent`. */
  readonly name: string
  readonly fields: Table
  /** Every accepted spelling, and the name it stands for. */
  readonly spellings: ReadonlyMap<string, string>
  /** Words of other systems for these fields: `instruction` for `instructions`. */
  readonly synonyms: Readonly<Record<string, string>>
  /** Unknown fields are only mentioned when they look like a known one: the object belongs to somebody else. */
  readonly foreign: boolean
  /** A field of a relative is an error instead of a warning: ADK's classes refuse what they do not have. */
  readonly strict: boolean
}

export interface TableOptions {
  readonly synonyms?: Readonly<Record<string, string>>
  /** Other names that are accepted, and the field that each stands for. */
  readonly aliases?: Readonly<Record<string, string>>
  readonly foreign?: boolean
  readonly strict?: boolean
}

export const fieldTable = <Table extends Fields>(
  name: string,
  fields: Table,
  { synonyms = {}, aliases = {}, foreign = false, strict = false }: TableOptions = {},
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
  foreign,
  strict,
})

export const optional = <Value>(read: Reader<Value>): Field<Value> => ({ read })

export const required = <Value>(
  read: Reader<Value>,
  fix: string,
  more: Pick<MissingField, "because" | "unless"> = {},
): Field<Value> => ({ read, missing: { code: "missing_field", fix, ...more } })
