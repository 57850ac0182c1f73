import type { JsonObject } from "../../machines/data/json-object.js"
import { pointerOf } from "../schema/schema-violation.js"
import { schemaValidator } from "../schema/schema-validator.js"

type Validate = ReturnType<typeof schemaValidator>

/**
 * Checks values against JSON schemas (draft 2020-12) without generating code, so that it runs under
 * any policy of a page.
 */
export function jsonValidator(): (schema: JsonObject, value: unknown) => string | null {
  const validators = new WeakMap<JsonObject, Validate>()
  const validatorOf = (schema: JsonObject): Validate => {
    const known = validators.get(schema)
    if (known !== undefined) return known
    const validate = schemaValidator(schema)
    validators.set(schema, validate)
    return validate
  }
  return (schema, value) => {
    try {
      const failure = validatorOf(schema)(value)
      return failure && `${pointerOf(failure.at) || "the value"}: ${failure.message()}`
    } catch (error) {
      // It throws at what it cannot use, such as a pattern that is none: no value follows such a
      // schema.
      return `the JSON schema cannot be used: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}
