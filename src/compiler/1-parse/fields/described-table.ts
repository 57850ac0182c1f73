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
 * Functions that read field values, by value type. Each dialect must have a reader for every value
 * type of its fields.
 */
export type ValueReaders = { readonly [Type in ValueType]?: Reader<ParsedValues[Type]> }

/**
 * The table with which the parser reads one kind of config object (such as an agent type) in one
 * dialect, and the names of its fields.
 */
export interface DescribedTable<Descriptions extends FieldDescriptions> {
  readonly descriptions: Descriptions
  /** The fields, by the name that the dialect uses. */
  readonly table: FieldTable
  /** Maps the key of each field description to the name of the field in the dialect. */
  readonly names: ReadonlyMap<string, string>
  /** Maps the name of each field in the dialect to the key of its description. */
  readonly keys: ReadonlyMap<string, string>
}

/**
 * Creates the table with which the parser reads one kind of config object in one dialect. `more`
 * contains additional fields that are accepted, but whose values are not returned.
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
 * The values of an object's fields. Keys are the keys of the field descriptions, which are the same
 * in all dialects.
 */
export interface ReadDescribed<Descriptions extends FieldDescriptions> {
  readonly values: ParsedFields<Descriptions>
  /**
   * Returns the location of a field, with the field name as the user writes it. For a missing
   * field, returns the location that the field would have.
   */
  readonly locationOf: (key: string) => ParserLocation
  /** Returns whether the config has the field. */
  readonly has: (key: keyof Descriptions & string) => boolean
}

/**
 * Reads the fields of an object according to its description. Reports missing, unknown and
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
    // Each value comes from the reader of its type or is the default.
    values: Object.fromEntries(given) as ParsedFields<Descriptions>,
    locationOf: (key) => read.locationOf(nameOf(key)),
    has: (key) => read.has(nameOf(key)),
  }
}

/**
 * Returns field values for an object that the config does not contain, such as a tool that is
 * registered with the runner. Each value is the default of its field or null.
 */
export const absentFields = <Descriptions extends FieldDescriptions>(
  descriptions: Descriptions,
): ParsedFields<Descriptions> =>
  Object.fromEntries(
    Object.entries<FieldDescription>(descriptions).map(([key, description]) => [
      key,
      description.default ?? null,
    ]),
    // Every value is null or the default, which matches the type.
  ) as ParsedFields<Descriptions>
