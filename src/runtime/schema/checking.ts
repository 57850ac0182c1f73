import type { Evaluated } from "./evaluated.js"
import type { SchemaViolation, Location } from "./schema-violation.js"
import type { SchemaMeter } from "./schema-meter.js"
import type { SchemaReferences } from "./schema-references.js"

export type Schema = Readonly<Record<string, unknown>>

/** What all checks of one value share. */
export interface Checking {
  readonly references: SchemaReferences
  readonly meter: SchemaMeter
  matches(pattern: string, text: string): boolean
  /** Whether a value is one of these, the `enum` or `const` of this schema. */
  isAmong(value: unknown, values: readonly unknown[], schema: object): boolean
  /** A place to note what was looked at; null where no keyword asks for it. */
  newEvaluated(): Evaluated | null
  /** Checks a part of the value against a part of the schema. */
  check(
    schema: unknown,
    value: unknown,
    at: Location | null,
    evaluated: Evaluated | null,
  ): SchemaViolation | null
}
