import type { Evaluated } from "./evaluated.js"
import type { SchemaViolation, Location } from "./schema-violation.js"
import type { SchemaMeter } from "./schema-meter.js"
import type { SchemaReferences } from "./schema-references.js"

/** A JSON Schema that is an object. */
export type Schema = Readonly<Record<string, unknown>>

/** The shared state of all checks of one value. */
export interface Checking {
  readonly references: SchemaReferences
  readonly meter: SchemaMeter
  /** Returns whether a string matches a pattern of the schema. */
  matches(pattern: string, text: string): boolean
  /** Returns whether `values`, the `enum` or `const` of this schema, contains a value. */
  isAmong(value: unknown, values: readonly unknown[], schema: object): boolean
  /** Returns a new set of evaluated parts, or null if no keyword needs it. */
  newEvaluated(): Evaluated | null
  /** Checks a part of the value against a part of the schema. */
  check(
    schema: unknown,
    value: unknown,
    at: Location | null,
    evaluated: Evaluated | null,
  ): SchemaViolation | null
}
