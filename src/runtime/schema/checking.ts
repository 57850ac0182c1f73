import type { Evaluated } from "./evaluated.js"
import type { SchemaViolation, Location } from "./schema-violation.js"
import type { SchemaMeter } from "./schema-meter.js"
import type { SchemaReferences } from "./schema-references.js"

/** A JSON Schema that is an object. The schemas `true` and `false` are not included. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * Shared tools of one JSON Schema validation, such as resolved references and the function that
 * validates a value against a subschema.
 */
export interface Checking {
  readonly references: SchemaReferences
  readonly meter: SchemaMeter
  /** Returns true if a string matches a regular expression of the schema. */
  matches(pattern: string, text: string): boolean
  /**
   * Returns true if `values` contains a value that is equal to `value`. `values` comes from the
   * keyword `enum` or `const`. `schema` is an object that is used as the cache key for `values`.
   */
  isAmong(value: unknown, values: readonly unknown[], schema: object): boolean
  /**
   * Returns an empty set of evaluated properties and items. Returns null if the schema does not use
   * `unevaluatedProperties` or `unevaluatedItems`, because only these keywords need the set.
   */
  newEvaluated(): Evaluated | null
  /**
   * Validates a value against a subschema. Returns a violation, or null if the value is valid.
   * `location` is the location of `value` in the validated root value, and null for the root.
   */
  check(
    schema: unknown,
    value: unknown,
    location: Location | null,
    evaluated: Evaluated | null,
  ): SchemaViolation | null
}
