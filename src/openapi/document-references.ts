import type { JsonObject } from "../machines/data/json-object.js"
import { isJsonObject } from "../machines/data/json-object.js"
import { keyInToken } from "../machines/data/json-pointer.js"
import { openapiLimits } from "./openapi-limits.js"
import { UnsupportedOperation } from "./unsupported-operation.js"

/**
 * Returns the value to which a local reference such as `#/components/schemas/Pet` points.
 *
 * @throws UnsupportedOperation if the reference points to another document or to no value
 */
export function valueAt(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith("#"))
    throw new UnsupportedOperation(
      `refers to "${shortened(reference)}", which is outside the document. Bundle the document into one file`,
    )
  let value: unknown = document
  for (const key of keysOf(reference)) {
    const isPresent =
      typeof value === "object" && value !== null && Object.hasOwn(value, key) && key !== ""
    // The cast is safe: `value` has the own property `key`.
    value = isPresent ? (value as Record<string, unknown>)[key] : undefined
  }
  if (value === undefined)
    throw new UnsupportedOperation(
      `refers to "${shortened(reference)}", which is not in the document`,
    )
  return value
}

/**
 * Returns an object of an OpenAPI document, such as a parameter or a request body. If `value` is a
 * `$ref`, follows the reference and all further references to the object.
 *
 * @throws UnsupportedOperation if the references form a cycle or do not point to an object
 */
export function resolved(document: JsonObject, value: unknown): JsonObject {
  let current = value
  for (let step = 0; step <= openapiLimits.referenceChain; step++) {
    if (!isJsonObject(current)) break
    const reference = current["$ref"]
    if (typeof reference !== "string") return current
    current = valueAt(document, reference)
  }
  throw new UnsupportedOperation(
    isJsonObject(current)
      ? "contains references that refer to each other"
      : "contains a reference that does not lead to an object",
  )
}

/**
 * Returns the keys in the JSON pointer of a local reference, such as
 * `["components", "schemas", "Pet"]`.
 */
function keysOf(reference: string): readonly string[] {
  if (reference === "#") return []
  return reference
    .slice(1)
    .split("/")
    .slice(1)
    .map((token) => keyInToken(decoded(token)))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A malformed escape is part of the name.
    return text
  }
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}...` : text)
