import * as z from "zod"
import type { ApiOperation } from "./operations.js"
import { messageOperations, noBody, operations } from "./operations.js"
import { components, errorBody } from "./response-bodies.js"

type Json = Readonly<Record<string, unknown>>
type AnyOperation = ApiOperation<unknown, unknown, unknown, unknown>

const errorResponse: Json = {
  default: { description: "The request was rejected.", ...jsonOf(refTo(errorBody)) },
}

/**
 * Returns the OpenAPI document of the server's JSON API. It is generated from `operations`, like
 * the routes. It does not include AG-UI, A2A, MCP and Graph Compose, which have their own
 * descriptions.
 */
export function openApi(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [id, operation] of Object.entries<AnyOperation>({
    ...operations,
    ...messageOperations,
  }))
    (paths[operation.path] ??= {})[operation.method] = describeOperation(id, operation)
  return {
    openapi: "3.1.0",
    info: {
      title: "agent-statecharts",
      version,
      description: "Start workflows of agents, read their events, and answer their requests.",
    },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: componentSchemas(),
    },
  }
}

function describeOperation(id: string, operation: AnyOperation): Json {
  const { path, summary, isPublic, query, headers, body, statuses, result } = operation
  const parameters = [
    ...(path.includes("{id}") ? [pathId] : []),
    ...parametersOf("header", headers),
    ...parametersOf("query", query),
  ]
  const content = typeof result === "string" ? { content: { [result]: {} } } : jsonOf(refTo(result))
  return {
    operationId: id,
    summary,
    ...(isPublic && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== noBody && { requestBody: { required: true, ...jsonOf(schemaOf(body)) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(statuses).map(([status, description]) => [
          status,
          { description, ...content },
        ]),
      ),
      ...errorResponse,
    },
  }
}

const pathId: Json = {
  name: "id",
  in: "path",
  required: true,
  description: "Id of the run.",
  schema: { type: "string" },
}

function parametersOf(location: "header" | "query", schema: z.ZodType): readonly Json[] {
  // Parameters arrive as text and are then parsed. The parsed type is documented, such as integer.
  const { properties = {} } = z.toJSONSchema(schema, { io: "output" })
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = typeof property === "boolean" ? {} : property
    return { name, in: location, description, schema: rest }
  })
}

/** Returns the JSON Schema of the data that a client sends in a request. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" })
  return rest
}

function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(components, { uri: pointerTo })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  )
}

function pointerTo(id: string): string {
  return `#/components/schemas/${id}`
}

/**
 * Returns a `$ref` to the schema if the OpenAPI document lists the schema by name. Otherwise
 * returns its JSON Schema.
 */
function refTo(schema: z.ZodType): Json {
  const component = components.get(schema)
  return component === undefined ? schemaOf(schema) : { $ref: pointerTo(component.id) }
}

function jsonOf(schema: Json): Json {
  return { content: { "application/json": { schema } } }
}
