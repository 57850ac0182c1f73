import { Validator } from "@cfworker/json-schema"
import type { Answer } from "./test-server.js"

type Json = Readonly<Record<string, unknown>>

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Json }
}

interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      { readonly content: { readonly "application/json"?: { readonly schema: Json } } }
    >
  >
}

/** Returns the schemas, changed so that objects can have only the documented fields. */
function withoutOtherFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOtherFields)
  if (typeof schema !== "object" || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withoutOtherFields(value)]),
  )
  return "properties" in inner ? { ...inner, additionalProperties: false } : inner
}

/**
 * Returns the differences between a response of the server and its OpenAPI document: an unknown
 * operation, an undocumented status, or a body that does not match.
 */
export function differences(
  document: Json,
  method: string,
  path: string,
  { status, body }: Answer,
): readonly string[] {
  const { paths, components } = document as unknown as OpenApi
  const template = path
    .replace(/\?.*$/, "")
    .replace(/^\/v1\/(runs|webhooks|hooks)\/[^/]+/, "/v1/$1/{id}")
  const operation = paths[template]?.[method.toLowerCase()]
  if (operation === undefined) return [`${method} ${template} is not in the document`]
  const response =
    operation.responses[status] ?? (status < 400 ? undefined : operation.responses["default"])
  const schema = response?.content["application/json"]?.schema
  if (schema === undefined) return [`${method} ${template} does not document status ${status}`]
  const { valid, errors } = new Validator(
    { ...schema, components: withoutOtherFields(components) },
    "2020-12",
    false,
  ).validate(body)
  return valid
    ? []
    : errors.map((error) => `${method} ${path} ${error.instanceLocation}: ${error.error}`)
}
