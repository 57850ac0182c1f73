import { mapValues } from "../machines/data/map-values.js"
import type { JsonObject } from "../machines/data/json-object.js"
import { isJsonObject } from "../machines/data/json-object.js"
import { valueAt } from "./document-references.js"
import { openapiLimits } from "./openapi-limits.js"
import { UnsupportedOperation } from "./unsupported-operation.js"

/**
 * JSON Schema keywords that are copied unchanged if their value has the expected type. Maps each
 * keyword to the function that checks the type. All other keywords are converted or dropped.
 */
const plainKeywords: ReadonlyMap<string, (value: unknown) => boolean> = new Map<
  string,
  (value: unknown) => boolean
>([
  ["title", isText],
  ["description", isText],
  ["format", isText],
  ["pattern", isText],
  ["enum", Array.isArray],
  ["const", () => true],
  ["default", () => true],
  ["required", isListOfTexts],
  ["uniqueItems", (value: unknown) => typeof value === "boolean"],
  ...[
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
  ].map((name) => [name, isNumber] as const),
])

const schemaKeywords = [
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
]
const schemaListKeywords = ["allOf", "anyOf", "oneOf", "prefixItems"]
const schemaMapKeywords = ["patternProperties", "dependentSchemas"]
const typeNames = ["string", "number", "integer", "boolean", "object", "array", "null"]

/**
 * Converts the schemas of one OpenAPI operation to JSON Schema. A referenced schema becomes an
 * entry of `$defs`, so recursive schemas remain finite. Each referenced schema is converted once.
 */
export class ToolSchemas {
  readonly #document: JsonObject
  readonly #names = new Map<string, string>()
  readonly #definitions = new Map<string, unknown>()
  readonly #pending: { readonly name: string; readonly reference: string }[] = []
  #count = 0

  constructor(document: JsonObject) {
    this.#document = document
  }

  /**
   * The schemas that results of `convert` refer to, as the content of `$defs`. Null if there are
   * none.
   */
  get definitions(): JsonObject | null {
    return this.#definitions.size === 0 ? null : Object.fromEntries(this.#definitions)
  }

  /**
   * Converts a schema of OpenAPI 3.0 or 3.1 to JSON Schema.
   *
   * @throws UnsupportedOperation if the schema is too large, too deep or refers to another document
   */
  convert(schema: unknown): JsonObject | boolean {
    const converted = this.#converted(schema, 0)
    // Convert references in a loop and not recursively, because a long chain of references could
    // overflow the stack.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      this.#definitions.set(next.name, this.#converted(valueAt(this.#document, next.reference), 0))
    return converted
  }

  #converted(schema: unknown, depth: number): JsonObject | boolean {
    if (typeof schema === "boolean") return schema
    if (!isJsonObject(schema)) return true
    this.#count++
    if (this.#count > openapiLimits.operationSchemas)
      throw new UnsupportedOperation(`has more than ${openapiLimits.operationSchemas} schemas`)
    if (depth > openapiLimits.schemaDepth)
      throw new UnsupportedOperation(
        `has a schema that is nested deeper than ${openapiLimits.schemaDepth} levels`,
      )
    const inner = (value: unknown): JsonObject | boolean => this.#converted(value, depth + 1)
    const converted: Record<string, unknown> = {}
    const { $ref: reference } = schema
    if (typeof reference === "string") converted["$ref"] = this.#definition(reference)
    const type = typeOf(schema["type"])
    if (type !== null) converted["type"] = type
    for (const [keyword, isValid] of plainKeywords)
      if (Object.hasOwn(schema, keyword) && isValid(schema[keyword]))
        converted[keyword] = schema[keyword]
    for (const keyword of schemaKeywords)
      if (isJsonObject(schema[keyword]) || typeof schema[keyword] === "boolean")
        converted[keyword] = inner(schema[keyword])
    for (const keyword of schemaListKeywords) {
      const list = schema[keyword]
      if (Array.isArray(list) && list.length > 0) converted[keyword] = list.map(inner)
    }
    for (const keyword of schemaMapKeywords) {
      const map = schema[keyword]
      if (isJsonObject(map)) converted[keyword] = mapValues(map, inner)
    }
    const { properties } = schema
    if (isJsonObject(properties)) writable(converted, properties, inner)
    exclusiveBounds(converted, schema)
    return schema["nullable"] === true ? withNull(converted) : converted
  }

  /**
   * Returns the new `$ref` of a referenced schema, such as `#/$defs/Pet`. The schema itself is
   * converted later.
   */
  #definition(reference: string): string {
    const known = this.#names.get(reference)
    if (known !== undefined) return `#/$defs/${known}`
    const last = reference.slice(reference.lastIndexOf("/") + 1).replace(/[^\w.-]+/g, "_")
    let name = last === "" ? "schema" : last
    for (let number = 2; this.#definitions.has(name); number++) name = `${last}_${number}`
    this.#names.set(reference, name)
    this.#definitions.set(name, true)
    this.#pending.push({ name, reference })
    return `#/$defs/${name}`
  }
}

/**
 * Converts the properties of an object schema, and stores them in the new schema `converted`. Omits
 * properties with `readOnly: true`, because a request must not contain them.
 */
function writable(
  converted: Record<string, unknown>,
  properties: JsonObject,
  inner: (value: unknown) => JsonObject | boolean,
): void {
  const kept = Object.entries(properties).filter(
    ([, property]) => !(isJsonObject(property) && property["readOnly"] === true),
  )
  converted["properties"] = Object.fromEntries(kept.map(([name, schema]) => [name, inner(schema)]))
  const { required } = converted
  if (!Array.isArray(required) || kept.length === Object.keys(properties).length) return
  const names = new Set(kept.map(([name]) => name))
  converted["required"] = required.filter(
    (name: string) => names.has(name) || !Object.hasOwn(properties, name),
  )
}

/**
 * Converts `exclusiveMinimum: true` and `exclusiveMaximum: true` of OpenAPI 3.0 to the numeric form
 * of JSON Schema.
 */
function exclusiveBounds(converted: Record<string, unknown>, schema: JsonObject): void {
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (schema[exclusive] !== true || !isNumber(converted[bound])) continue
    converted[exclusive] = converted[bound]
    delete converted[bound]
  }
}

/** Returns a schema that also accepts null. Implements `nullable: true` of OpenAPI 3.0. */
function withNull(converted: Record<string, unknown>): JsonObject {
  const { type, enum: values } = converted
  if (typeof type !== "string" || converted["$ref"] !== undefined)
    return { anyOf: [converted, { type: "null" }] }
  return {
    ...converted,
    type: [type, "null"],
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  }
}

function typeOf(type: unknown): string | readonly string[] | null {
  if (typeof type === "string") return typeNames.includes(type) ? type : null
  if (!isListOfTexts(type)) return null
  const known = type.filter((name) => typeNames.includes(name))
  return known.length === 0 ? null : known
}

function isText(value: unknown): value is string {
  return typeof value === "string"
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value)
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}
