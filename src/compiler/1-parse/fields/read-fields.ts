import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import type { Field, Fields, FieldTable } from "./field-table.js"

export interface ReadFields<Table extends Fields> {
  /**
   * The parsed value of each field. Null if the field is missing, or if its value is invalid and
   * has been reported.
   */
  readonly values: Values<Table>
  /**
   * Returns the location of a field, with the field name as the user wrote it. For a missing field,
   * returns the location at which it would be written.
   */
  readonly locationOf: (field: string) => ParserLocation
  /** Returns whether the field is in the config and is not null. */
  readonly has: (field: keyof Table & string) => boolean
}

export type Values<Table extends Fields> = {
  readonly [Name in keyof Table]: Table[Name] extends Field<infer Value> ? Value | null : never
}

/**
 * Parses the fields of a config object according to its table of accepted fields. Reports missing,
 * unknown and duplicate fields. `siblings` are the tables of related object types. If a related
 * type has an unknown field, the message names this type.
 */
export function readFields<Table extends Fields>(
  object: Readonly<Record<string, unknown>>,
  table: FieldTable<Table>,
  location: ParserLocation,
  siblings: readonly FieldTable[] = [],
): ReadFields<Table> {
  const { naming } = location.parser
  const values: Record<string, unknown> = {}
  const written = new Map<string, string>()
  const unknown: string[] = []
  for (const [key, value] of Object.entries(object)) {
    const field = table.spellings.get(key)
    if (field === undefined) {
      unknown.push(key)
      continue
    }
    naming.saw(key)
    const earlier = written.get(field)
    if (earlier !== undefined) {
      report(fieldOf(location, key), {
        code: "duplicate_key",
        problem: `is a duplicate: it is the same field as "${earlier}"`,
        fix: "Remove one of the two fields, because they are spellings of the same field.",
        part: "key",
      })
    } else if (value !== null) {
      written.set(field, key)
      values[field] = table.fields[field]?.read(value, fieldOf(location, key)) ?? null
    }
  }
  const suggestions = new Map(unknown.map((key) => [key, intendedField(key, table, location)]))
  for (const [field, { missing }] of Object.entries<Field<unknown>>(table.fields)) {
    if (written.has(field)) continue
    values[field] = null
    if (missing === undefined || (missing.unless !== undefined && written.has(missing.unless)))
      continue
    const misspelt = unknown.find((key) => suggestions.get(key) === field)
    const hint = misspelt === undefined ? "" : `; the config has "${misspelt}" instead`
    report(
      { ...fieldOf(location, naming.name(field)), pointer: location.pointer },
      {
        code: missing.code,
        problem: `is missing${missing.because === undefined ? "" : `: ${missing.because}`}${hint}`,
        fix:
          misspelt === undefined ? missing.fix : `Rename "${misspelt}" to "${naming.name(field)}".`,
      },
    )
    if (misspelt !== undefined) suggestions.delete(misspelt)
  }
  for (const [key, field] of suggestions) reportUnknown(key, field, table, location, siblings)
  return {
    // The loops above set every field of the table to its parsed value or null.
    values: values as Values<Table>,
    locationOf: (field) => fieldOf(location, written.get(field) ?? naming.name(field)),
    has: (field) => written.has(field),
  }
}

function intendedField(key: string, table: FieldTable, location: ParserLocation): string | null {
  const synonym = Object.hasOwn(table.synonyms, key) ? table.synonyms[key] : undefined
  return synonym ?? location.parser.suggest(key, Object.keys(table.fields))
}

/**
 * Minimum length of an unknown field name to be reported in an object of another system. Shorter
 * names would too often be mistaken for misspelled fields.
 */
const shortest = 5

function reportUnknown(
  key: string,
  similar: string | null,
  table: FieldTable,
  location: ParserLocation,
  siblings: readonly FieldTable[],
): void {
  if (table.foreign && (similar === null || key.length < shortest)) return
  const homes = siblings.filter(({ spellings }) => spellings.has(key)).map(({ name }) => name)
  const belongs = homes.length === 0 ? "" : `; it belongs to ${homes.join(" or ")}`
  const suggestion =
    homes.length > 0 || similar === null ? null : location.parser.naming.name(similar)
  if (table.strict && homes.length > 0) {
    const fix = `Remove this field, or move it to ${location.owner.kind === "agent" ? "an agent that has this field" : "the object that has this field"}.`
    report(fieldOf(location, key), {
      code: "field_of_another_class",
      problem: `is not a field of ${table.name}${belongs}`,
      fix,
      part: "key",
    })
    return
  }
  const dialect =
    homes.length > 0 || Object.hasOwn(table.synonyms, key)
      ? undefined
      : table.otherDialects.get(key)
  report(fieldOf(location, key), {
    code: "unknown_field",
    severity: "warning",
    problem:
      dialect === undefined
        ? `is not a field of ${table.name} and has no effect${belongs}`
        : `is a field of ${table.name} in the ${dialect} dialect only and has no effect`,
    fix:
      dialect !== undefined
        ? `Remove it, or write the workflow in the ${dialect} dialect.`
        : `${didYouMean(suggestion)}${suggestion === null ? "Remove it, or move it to the object that has this field." : `If so, rename "${key}".`}`,
    part: "key",
  })
}
