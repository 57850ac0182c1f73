import type { HttpOperation } from "../machines/data/http-operation.js"
import type { JsonObject } from "../machines/data/json-object.js"
import { isJsonObject } from "../machines/data/json-object.js"
import { resolved } from "./document-references.js"
import { openapiLimits } from "./openapi-limits.js"
import { readBody } from "./read-body.js"
import { readParameters } from "./read-parameters.js"
import { serverOf } from "./servers.js"
import { ToolSchemas } from "./tool-schema.js"
import { UnsupportedOperation } from "./unsupported-operation.js"

/** An operation of an OpenAPI document, such as `GET /pets/{id}`. An agent can use it as a tool. */
export interface OpenApiOperation {
  /**
   * Name of the tool, which is the operation id. Characters other than letters, digits, `_` and `-`
   * are replaced. An operation without an id is named after its method and path.
   */
  readonly name: string
  readonly operationId: string | null
  readonly tags: readonly string[]
  readonly method: string
  readonly path: string
  /**
   * Alternatives for the authentication of a request. Each inner list contains the names of the
   * security schemes that the request needs together.
   */
  readonly security: readonly (readonly string[])[]
  readonly read: () => OperationTool
}

/** The details of an OpenAPI operation. They are read only if an agent uses the operation. */
export interface OperationTool {
  readonly description: string
  /** JSON schema of the arguments that a model writes for this tool. */
  readonly parameters: JsonObject
  readonly operation: HttpOperation
  /** Base URL of the server, or null if the document does not contain an absolute URL. */
  readonly server: string | null
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"] as const

/**
 * Checks whether a value is an OpenAPI 3.0 or 3.1 document. Returns null if it is, or else the
 * problem for an error message, such as "is not an OpenAPI document".
 */
export function documentProblem(document: unknown): string | null {
  if (!isJsonObject(document)) return "is not an OpenAPI document"
  const { openapi, swagger, paths } = document
  if (swagger !== undefined) return `is a Swagger ${String(swagger).slice(0, 10)} document`
  if (typeof openapi !== "string" || !/^3\.[01](?:\.|$)/.test(openapi))
    return "is not an OpenAPI 3.0 or 3.1 document"
  return isJsonObject(paths) ? null : "is an OpenAPI document without paths"
}

/**
 * Returns the operations of an OpenAPI document, at most 5,000. The schemas of an operation are
 * read only when its method `read` is called.
 */
export function readOperations(document: JsonObject): readonly OpenApiOperation[] {
  const operations: OpenApiOperation[] = []
  const { paths, security } = document
  for (const [path, entry] of Object.entries(isJsonObject(paths) ? paths : {})) {
    const item = itemOf(document, entry)
    if (item === null) continue
    for (const method of methods) {
      const operation = item[method]
      if (!isJsonObject(operation)) continue
      if (operations.length >= openapiLimits.documentOperations) return operations
      const { operationId, tags } = operation
      const id = typeof operationId === "string" && operationId !== "" ? operationId : null
      operations.push({
        name: toolNameOf(id ?? `${method}${path}`),
        operationId: id,
        tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
        method: method.toUpperCase(),
        path,
        security: securityOf(operation["security"] ?? security),
        read: () => readTool(document, path, method, item, operation),
      })
    }
  }
  return operations
}

/**
 * Returns the path item of an entry in `paths`, and resolves the entry if it is a `$ref`. Returns
 * null if the reference cannot be resolved. The caller ignores the operations of such an entry.
 */
function itemOf(document: JsonObject, entry: unknown): JsonObject | null {
  try {
    return resolved(document, entry)
  } catch (error) {
    if (error instanceof UnsupportedOperation) return null
    throw error
  }
}

function readTool(
  document: JsonObject,
  path: string,
  method: string,
  item: JsonObject,
  operation: JsonObject,
): OperationTool {
  if (!path.startsWith("/") || /[{][{]|[}][}]|[?#\\\s]|\p{Cc}/u.test(path) || hasDotSegment(path))
    throw new UnsupportedOperation(`has the path "${path.slice(0, 80)}", which is not valid`)
  const schemas = new ToolSchemas(document)
  const read = readParameters(document, [item["parameters"], operation["parameters"]], schemas)
  const inPath = new Set(read.flatMap((one) => (one.in === "path" ? [one.name] : [])))
  for (const [, name = ""] of path.matchAll(/\{([^}]*)\}/g))
    if (!inPath.has(name))
      throw new UnsupportedOperation(`does not declare the path parameter "${name.slice(0, 80)}"`)
  const body = readBody(document, operation["requestBody"], schemas)
  const properties = new Map<string, unknown>()
  const required: string[] = []
  for (const { argument, schema, description, required: isRequired } of read) {
    properties.set(argument, described(schema, description))
    if (isRequired === true) required.push(argument)
  }
  if (body !== null) {
    properties.set("body", described(body.schema, body.description))
    if (body.isRequired) required.push("body")
  }
  const { definitions } = schemas
  const parameters = {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    ...(definitions !== null && { $defs: definitions }),
  }
  const size = JSON.stringify(parameters).length
  if (size > openapiLimits.operationCharacters)
    throw new UnsupportedOperation(
      `has parameters of ${size} characters; the limit is ${openapiLimits.operationCharacters}`,
    )
  return {
    description: descriptionOf(operation, item) ?? `${method.toUpperCase()} ${path}`,
    parameters,
    operation: {
      parameters: read
        .filter(({ in: location, name }) => location !== "path" || path.includes(`{${name}}`))
        .map(({ schema: _schema, description: _text, ...parameter }) => parameter),
      ...(body !== null && { body: body.mediaType }),
    },
    server: serverOf(operation["servers"] ?? item["servers"] ?? document["servers"]),
  }
}

const hasDotSegment = (path: string): boolean =>
  path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))

/** Adds the description of a parameter to its schema, if the schema has no description. */
const described = (schema: JsonObject | boolean, description: string | null): unknown =>
  description === null || (isJsonObject(schema) && schema["description"] !== undefined)
    ? schema
    : { ...(isJsonObject(schema) && schema), description: cut(description) }

function descriptionOf(operation: JsonObject, item: JsonObject): string | null {
  const texts = [operation["summary"], operation["description"], item["summary"]].filter(
    (text) => typeof text === "string" && text.trim() !== "",
  )
  return texts.length === 0 ? null : cut([...new Set(texts)].join("\n\n"))
}

const cut = (text: string): string =>
  text.length > openapiLimits.description ? `${text.slice(0, openapiLimits.description)}...` : text

/** Converts a text to a tool name of at most 64 characters that all model providers accept. */
const toolNameOf = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^[_-]+|[_-]+$/g, "")
    .slice(0, 64)

function securityOf(security: unknown): readonly (readonly string[])[] {
  if (!Array.isArray(security)) return []
  return security.flatMap((alternative) =>
    isJsonObject(alternative) ? [Object.keys(alternative)] : [],
  )
}
