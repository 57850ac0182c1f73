import type { JsonObject } from "../../machines/data/json-object.js"
import { pointerOf } from "../schema/schema-violation.js"
import { schemaValidator } from "../schema/schema-validator.js"

type Validate = ReturnType<typeof schemaValidator>

/**
 * Returns a function that validates a value against a JSON Schema (draft 2020-12). The function
 * returns an error message, or null if the value is valid. It does not generate code, so it works
 * with a strict Content Security Policy.
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
      return failure && `${pointerOf(failure.location) || "the value"}: ${failure.message()}`
    } catch (error) {
      // If the schema cannot be used, for example because of an invalid regular expression, every
      // value is rejected.
      return `the JSON schema cannot be used: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}
