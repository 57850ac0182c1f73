import { AgentStatechartsError } from "../../errors.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { refuse } from "./refuse.js"

/** A schema from a library that implements Standard Schema, such as zod, ArkType or Valibot. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>
    /**
     * Converts the schema to JSON Schema. Older versions of the libraries do not have this field.
     */
    readonly jsonSchema?: {
      readonly input: (options: {
        readonly target: "draft-2020-12"
      }) => Readonly<Record<string, unknown>>
    }
  }
}

type Result<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A schema object from a library such as zod, or a plain JSON Schema. A plain schema may use
 * Google's type names, such as `"STRING"`.
 */
export type SchemaLike = StandardSchema | JsonSchema

export type JsonSchema = {
  readonly type?: string
  readonly "~standard"?: undefined
  readonly [keyword: string]: unknown
}

const isStandard = (schema: SchemaLike): schema is StandardSchema =>
  schema["~standard"] !== undefined

/**
 * Converts a schema to JSON Schema, the format in which configs and models receive it.
 *
 * @param whose Subject of the error message, such as `the parameters of the tool "pay"`.
 * @throws AgentStatechartsError `definition_refused` if the schema cannot be converted to JSON
 * Schema.
 */
export function jsonSchemaOf(schema: SchemaLike, whose: string): JsonObject {
  if (!isStandard(schema)) {
    if (!isJsonObject(schema))
      return refuse(
        `${capitalized(whose)} must be a zod schema or a JSON schema object.`,
        'Pass z.object({ ... }), or { type: "object", properties: { ... } }.',
      )
    return withLowerCaseTypes(schema) as JsonObject
  }
  const { vendor, jsonSchema } = schema["~standard"]
  if (jsonSchema === undefined) {
    return refuse(
      `${capitalized(whose)} cannot be converted to JSON schema: the library "${vendor}" does not support it.`,
      "Use a library version that supports JSON schema (zod 4.2 or newer), or pass a JSON schema.",
    )
  }
  try {
    const { $schema: _, ...jsonSchemaFields } = jsonSchema.input({ target: "draft-2020-12" })
    // A library can return objects that share parts or have prototypes. A config must be plain
    // data.
    return JSON.parse(JSON.stringify(jsonSchemaFields)) as JsonObject
  } catch (cause) {
    return refuse(
      `${capitalized(whose)} cannot be represented in JSON schema: ${cause instanceof Error ? cause.message : String(cause)}.`,
      "Use only JSON types as input, and convert the values with a transform or in your own code.",
    )
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Returns a JSON Schema with lowercase type names. Google's schemas use uppercase names such as
 * `"STRING"`.
 */
function withLowerCaseTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerCaseTypes)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "type" && typeof inner === "string" && /^[A-Z]+$/.test(inner)
        ? inner.toLowerCase()
        : withLowerCaseTypes(inner),
    ]),
  )
}

/**
 * Validates a value with the library that created the schema. Returns the value with the defaults
 * and transforms of the schema applied. For a plain JSON Schema, returns the value unchanged,
 * because the run validates it.
 *
 * @throws AgentStatechartsError `tool_call_failed` with each invalid path and its problem.
 */
export async function parseWithSchema(schema: SchemaLike, value: unknown): Promise<unknown> {
  if (!isStandard(schema)) return value
  const result = await schema["~standard"].validate(value)
  if (result.issues === undefined) return result.value
  throw new AgentStatechartsError("tool_call_failed", result.issues.map(issueText).join("; "))
}

function issueText({ message, path = [] }: Issue): string {
  const field = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".")
  return field === "" ? message : `"${field}": ${message}`
}
