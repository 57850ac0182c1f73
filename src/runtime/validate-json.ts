import { Validator } from "@cfworker/json-schema"
import type { JsonObject } from "../machines/contract.js"

/** Checks values against JSON schemas (draft 2020-12) without generating code, so that it runs under any policy of a page. */
export function jsonValidator(): (schema: JsonObject, value: unknown) => string | null {
  const validators = new WeakMap<JsonObject, Validator>()
  return (schema, value) => {
    let validator = validators.get(schema)
    if (validator === undefined) {
      validator = new Validator(schema, "2020-12", false)
      validators.set(schema, validator)
    }
    const { valid, errors } = validator.validate(value)
    if (valid) return null
    // The outermost errors only say that something inside is wrong.
    const deepest = errors.reduce((found, error) => (error.instanceLocation.length >= found.instanceLocation.length ? error : found))
    return `${deepest.instanceLocation.replace(/^#/, "") || "the value"}: ${deepest.error}`
  }
}
