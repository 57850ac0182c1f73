import type { Dialect } from "../../agent-types/dialects.js"
import { dialects } from "../../agent-types/dialects.js"
import type {
  FieldDescription,
  FieldDescriptions,
  ObjectDescription,
} from "../../agent-types/field-description.js"
import type { ValueType } from "../../agent-types/value-types.js"
import type { ParsedFields, ParsedValues } from "../config/agent-config.js"
import type { ParserLocation } from "../context/parser-context.js"
import type { Field, Fields, FieldTable, Reader } from "./field-table.js"
import { fieldTable } from "./field-table.js"
import { oneOf } from "./plain-values.js"
import { readFields } from "./read-fields.js"

/**
 * Functions that parse the values of config fields, by value type. A dialect must have a function
 * for every value type of its fields.
 */
export type ValueReaders = { readonly [Type in ValueType]?: Reader<ParsedValues[Type]> }

/**
 * The fields that a kind of config object, such as an LlmAgent, may have in one dialect. The parser
 * uses the table to parse and check such objects.
 */
export interface DescribedTable<Descriptions extends FieldDescriptions> {
  readonly descriptions: Descriptions
  /** The accepted fields, by their names in this dialect. */
  readonly table: FieldTable
  /**
   * Maps the key of each entry in `descriptions` to the field's name in this dialect. The keys are
   * the same in all dialects.
   */
  readonly names: ReadonlyMap<string, string>
  /**
   * Maps the name of each field in this dialect to its key in `descriptions`. This is the inverse
   * of `names`.
   */
  readonly keys: ReadonlyMap<string, string>
}

/**
 * Creates the table of accepted fields for one kind of config object in one dialect. `more`
 * contains additional fields, such as unsupported fields of ADK. They are parsed, for example to
 * report errors, but their values are not returned.
 */
export function describedTable<Descriptions extends FieldDescriptions>(
  { name, fields: descriptions, strictIn = [] }: ObjectDescription<Descriptions>,
  dialect: Dialect,
  readers: ValueReaders,
  more: Fields = {},
): DescribedTable<Descriptions> {
  const fields: Record<string, Field<unknown>> = {}
  const names = new Map<string, string>()
  const synonyms: Record<string, string> = {}
  const aliases: Record<string, string> = {}
  const otherDialects = new Map<string, Dialect>()
  for (const [key, description] of Object.entries<FieldDescription>(descriptions)) {
    const spelling = description.dialects[dialect]
    if (spelling === undefined) {
      for (const other of dialects) {
        const there = description.dialects[other]
        if (there !== undefined) otherDialects.set(there.name ?? key, other)
      }
      continue
    }
    const { name: written = key, missing } = spelling
    names.set(key, written)
    fields[written] = {
      read: readerOf(description, readers),
      ...(missing !== undefined && { missing }),
    }
    for (const alias of spelling.aliases ?? []) aliases[alias] = written
    for (const synonym of spelling.synonyms ?? []) synonyms[synonym] = written
  }
  const table = fieldTable(
    name,
    { ...fields, ...more },
    { synonyms, aliases, otherDialects, strict: strictIn.includes(dialect) },
  )
  const keys = new Map([...names].map(([key, name]) => [name, key]))
  return { descriptions, table, names, keys }
}

function readerOf({ type, choices }: FieldDescription, readers: ValueReaders): Reader<unknown> {
  const reader = type === "choice" ? oneOf(choices ?? []) : readers[type]
  if (reader === undefined) throw new TypeError(`there is no reader for values of type "${type}"`)
  return reader
}

/**
 * The parsed fields of a config object. The keys of `values` are the keys of the field
 * descriptions, which are the same in all dialects.
 */
export interface ReadDescribed<Descriptions extends FieldDescriptions> {
  readonly values: ParsedFields<Descriptions>
  /**
   * Returns the location of a field, with the field name as the user wrote it. For a missing field,
   * returns the location at which it would be written.
   */
  readonly locationOf: (key: string) => ParserLocation
  /** Returns whether the field is in the config and is not null. */
  readonly has: (key: keyof Descriptions & string) => boolean
}

/**
 * Parses the fields of a config object according to its description. Reports missing, unknown and
 * duplicate fields.
 */
export function readDescribed<Descriptions extends FieldDescriptions>(
  object: Readonly<Record<string, unknown>>,
  { descriptions, table, names, keys }: DescribedTable<Descriptions>,
  location: ParserLocation,
  siblings: readonly { readonly table: FieldTable }[] = [],
): ReadDescribed<Descriptions> {
  const read = readFields(
    object,
    table,
    location,
    siblings.map((sibling) => sibling.table),
  )
  const nameOf = (key: string): string => names.get(key) ?? key
  const given = new Map<string, unknown>()
  for (const [name, value] of Object.entries(read.values)) {
    const key = keys.get(name)
    if (key !== undefined && value !== null) given.set(key, value)
  }
  for (const [key, value] of Object.entries(absentFields(descriptions)))
    if (!given.has(key)) given.set(key, value)
  return {
    // Each value is the result of the parser for its type, or the default.
    values: Object.fromEntries(given) as ParsedFields<Descriptions>,
    locationOf: (key) => read.locationOf(nameOf(key)),
    has: (key) => read.has(nameOf(key)),
  }
}

/**
 * Returns the field values of an object without an entry in the config, such as a registered tool.
 * Each value is the default of its field, or null if the field has no default.
 */
export const absentFields = <Descriptions extends FieldDescriptions>(
  descriptions: Descriptions,
): ParsedFields<Descriptions> =>
  Object.fromEntries(
    Object.entries<FieldDescription>(descriptions).map(([key, description]) => [
      key,
      description.default ?? null,
    ]),
    // Every value is null or the default of its field, which both match the type.
  ) as ParsedFields<Descriptions>
