import type { Evaluated } from "./evaluated.js"
import type { SchemaViolation, Location } from "./schema-violation.js"
import type { SchemaMeter } from "./schema-meter.js"
import type { SchemaReferences } from "./schema-references.js"

/** A JSON Schema that is an object, unlike the schemas `true` and `false`. */
export type Schema = Readonly<Record<string, unknown>>

/** Functions and data that are shared by all steps of one validation. */
export interface Checking {
  readonly references: SchemaReferences
  readonly meter: SchemaMeter
  /** Returns whether a string matches a pattern of the schema. */
  matches(pattern: string, text: string): boolean
  /**
   * Returns whether `values` contains a value. `values` is the `enum` or `const` keyword of
   * `schema`.
   */
  isAmong(value: unknown, values: readonly unknown[], schema: object): boolean
  /**
   * Returns an empty set of evaluated properties and items. Returns null if the schema has no
   * `unevaluatedProperties` or `unevaluatedItems`, because only these keywords use the set.
   */
  newEvaluated(): Evaluated | null
  /**
   * Validates a value against a subschema. `location` is the location of the value inside the whole
   * validated value.
   */
  check(
    schema: unknown,
    value: unknown,
    location: Location | null,
    evaluated: Evaluated | null,
  ): SchemaViolation | null
}
