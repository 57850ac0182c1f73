import type { JsonObject } from "../machines/contract.js"
import { boundedValidator } from "./bounded-schema.js"

type Validate = ReturnType<typeof boundedValidator>

/** Checks values against JSON schemas (draft 2020-12) without generating code, so that it runs under any policy of a page. */
export function jsonValidator(): (schema: JsonObject, value: unknown) => string | null {
  const validators = new WeakMap<JsonObject, Validate>()
  const validatorOf = (schema: JsonObject): Validate => {
    const known = validators.get(schema)
    if (known !== undefined) return known
    const validate = boundedValidator(schema)
    validators.set(schema, validate)
    return validate
  }
  return (schema, value) => {
    try {
      return violationOf(validatorOf(schema)(value))
    } catch (error) {
      // It throws at what it cannot use, such as a pattern that is none: no value follows such a schema.
      return `the JSON schema cannot be used: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}

function violationOf({ valid, errors }: ReturnType<Validate>): string | null {
  if (valid) return null
  // The outermost errors only say that something inside is wrong, and those of the schema `false` not even that.
  const telling = errors.filter(({ keyword }) => keyword !== "false")
  const deepest = (telling.length > 0 ? telling : errors).reduce((found, error) =>
    error.instanceLocation.length >= found.instanceLocation.length ? error : found,
  )
  return `${deepest.instanceLocation.replace(/^#/, "") || "the value"}: ${deepest.error}`
}
