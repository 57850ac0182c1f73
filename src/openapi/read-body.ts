import type { JsonObject } from "../machines/data/json-object.js"
import { isJsonObject } from "../machines/data/json-object.js"
import { resolved } from "./document-references.js"
import type { ToolSchemas } from "./tool-schema.js"
import { UnsupportedOperation } from "./unsupported-operation.js"

interface ReadBody {
  readonly mediaType: string
  readonly schema: JsonObject | boolean
  readonly description: string | null
  readonly isRequired: boolean
}

/**
 * Reads the schema and media type of an operation's JSON request body. Returns null if the
 * operation has no body, or if its body is optional and not JSON.
 *
 * @throws UnsupportedOperation if the body is required and not JSON
 */
export function readBody(
  document: JsonObject,
  requestBody: unknown,
  schemas: ToolSchemas,
): ReadBody | null {
  if (requestBody === undefined) return null
  const { content, required, description } = resolved(document, requestBody)
  const types = isJsonObject(content) ? content : {}
  const mediaType = Object.keys(types).find((type) =>
    /^application\/(?:[\w.-]+\+)?json(?:\s*;[\w\s=".-]*)?$/i.test(type),
  )
  if (mediaType === undefined) {
    if (required !== true) return null
    const named = Object.keys(types)
      .slice(0, 3)
      .map((type) => type.slice(0, 60))
    throw new UnsupportedOperation(`has a required body that is not JSON (${named.join(", ")})`)
  }
  const media = types[mediaType]
  return {
    mediaType,
    schema: schemas.convert(isJsonObject(media) ? media["schema"] : true),
    description: typeof description === "string" ? description : null,
    isRequired: required === true,
  }
}
