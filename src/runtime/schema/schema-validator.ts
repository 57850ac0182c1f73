import type { JsonObject } from "../../machines/data/json-object.js"
import type { Checking } from "./checking.js"
import { checkSchema } from "./check-schema.js"
import { Evaluated } from "./evaluated.js"
import type { SchemaViolation } from "./schema-violation.js"
import { canonical } from "./json-values.js"
import { SchemaMeter } from "./schema-meter.js"
import { schemaPattern } from "./schema-pattern.js"
import { SchemaReferences } from "./schema-references.js"

/**
 * Compiles a JSON Schema (draft 2020-12) to a function that validates values. The function returns
 * a violation, or null if the value is valid. It throws if the schema cannot be used, or if the
 * validation needs too many steps. The schema and the values may come from untrusted sources.
 */
export function schemaValidator(schema: JsonObject): (value: unknown) => SchemaViolation | null {
  const references = new SchemaReferences(schema)
  const patterns = new Map<string, ReturnType<typeof schemaPattern>>()
  const sets = new WeakMap<object, ValueSet>()
  const tracks = usesUnevaluated(schema)

  return (value) => {
    const meter = new SchemaMeter()
    const checking: Checking = {
      references,
      meter,
      matches: (source, text) => {
        const pattern = patterns.get(source) ?? schemaPattern(source)
        patterns.set(source, pattern)
        return pattern(text, meter)
      },
      isAmong: (one, values, key) => {
        const set = sets.get(key) ?? valueSet(values, meter)
        sets.set(key, set)
        return typeof one === "object" && one !== null
          ? set.texts.has(canonical(one, meter))
          : set.plain.has(one)
      },
      newEvaluated: () => (tracks ? new Evaluated() : null),
      check: (inner, part, location, evaluated) =>
        checkSchema(checking, inner, part, location, evaluated),
    }
    return checking.check(schema, value, null, checking.newEvaluated())
  }
}

/** Returns true if a schema contains `unevaluatedProperties` or `unevaluatedItems` at any depth. */
function usesUnevaluated(schema: object): boolean {
  const found = new Set<object>([schema])
  for (const part of found)
    for (const [key, inner] of Object.entries(part)) {
      if (key.startsWith("unevaluated")) return true
      if (typeof inner === "object" && inner !== null) found.add(inner)
    }
  return false
}

/**
 * The values of the keyword `enum` or `const`, stored in sets for fast lookup. `plain` contains all
 * values that are not arrays or objects.
 */
interface ValueSet {
  readonly plain: ReadonlySet<unknown>
  /**
   * The arrays and objects among the values, as JSON texts with sorted keys. Equal values have
   * equal texts.
   */
  readonly texts: ReadonlySet<string>
}

function valueSet(values: readonly unknown[], meter: SchemaMeter): ValueSet {
  const plain = new Set<unknown>()
  const texts = new Set<string>()
  for (const value of values) {
    if (typeof value === "object" && value !== null) texts.add(canonical(value, meter))
    else plain.add(value)
  }
  return { plain, texts }
}
