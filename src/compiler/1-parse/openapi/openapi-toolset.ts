import type { Activity } from "../../../machines/contract/activity.js"
import type { HttpEndpoint } from "../../../machines/contract/services.js"
import { withoutNulls } from "../../../machines/data/without-nulls.js"
import { openapiLimits } from "../../../openapi/openapi-limits.js"
import type { OpenApiOperation, OperationTool } from "../../../openapi/read-operations.js"
import { UnsupportedOperation } from "../../../openapi/unsupported-operation.js"
import type { Dialect } from "../../agent-types/dialects.js"
import { httpTool, openApiToolset as description } from "../../agent-types/tools.js"
import type { ParsedHttpTool, ParsedOpenApiToolset } from "../config/agent-config.js"
import type { ParserLocation } from "../context/parser-context.js"
import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import { absentFields, describedTable, readDescribed } from "../fields/described-table.js"
import { url } from "../fields/http-config.js"
import { sharedReaders } from "../fields/value-readers.js"
import { openApiAuth, placedCredentials } from "./openapi-auth.js"
import { openApiDocument, openDocument } from "./open-document.js"
import { selectedOperations } from "./selected-operations.js"

/** Parses a toolset whose tools are the operations of an OpenAPI document. */
export function openApiToolset(
  object: Readonly<Record<string, unknown>>,
  location: ParserLocation,
  dialect: Dialect,
): ParsedOpenApiToolset {
  const { values, locationOf: fieldAt } = readDescribed(object, tables[dialect], location)
  const toolset = { ...values, type: "OpenAPIToolset", location, fieldAt } as const
  const document =
    values.document === null ? null : openDocument(values.document, fieldAt("document"))
  if (document === null) return { ...toolset, tools: [] }
  const credentials = placedCredentials(document, values.auth ?? {}, fieldAt("auth"))
  const selected = selectedOperations(document, values, fieldAt)
  let characters = 0
  const tools: ParsedHttpTool[] = []
  for (const one of selected) {
    const tool = toolOf(one, fieldAt("document"))
    if (tool === null) continue
    const base = values.baseUrl ?? tool.server
    if (base === null) {
      report(fieldAt("baseUrl"), {
        code: "missing_field",
        problem: "is missing, and the document does not contain the absolute URL of a server",
        fix: 'Add the URL of the server, such as "baseUrl": "https://api.example.com/v1".',
      })
      return { ...toolset, tools: [] }
    }
    characters += JSON.stringify(tool.parameters).length
    const used = credentials.for(one)
    const endpoint = { ...requestOf(one, base, used), operation: tool.operation }
    tools.push(httpToolOf(one, tool, endpoint, toolset))
  }
  if (characters > openapiLimits.toolsetCharacters)
    report(fieldAt("operations"), {
      code: "config_too_large",
      problem: `selects operations whose parameters have ${characters} characters; the limit is ${openapiLimits.toolsetCharacters}`,
      fix: 'Select fewer operations with "operations" or "tags".',
    })
  return { ...toolset, tools: characters > openapiLimits.toolsetCharacters ? [] : tools }
}

/**
 * Reads the schemas of an OpenAPI operation. If the operation cannot become a tool, reports a
 * warning and returns null.
 */
function toolOf(operation: OpenApiOperation, location: ParserLocation): OperationTool | null {
  try {
    return operation.read()
  } catch (error) {
    if (!(error instanceof UnsupportedOperation)) throw error
    return report(location, {
      code: "operation_unavailable",
      severity: "warning",
      problem: `contains the operation ${describeValue(operation.operationId ?? `${operation.method} ${operation.path}`)}, which is not available: it ${error.message}`,
      fix: 'Correct the document, or list the operations that agents need in "operations".',
    })
  }
}

/**
 * Returns the HTTP endpoint of an OpenAPI operation, including the templates of its credentials.
 */
function requestOf(
  { method, path }: OpenApiOperation,
  base: string,
  credentials: ReturnType<ReturnType<typeof placedCredentials>["for"]>,
): HttpEndpoint {
  const [address = "", query] = base.split(/\?([^]*)/)
  const pairs = [
    ...(query === undefined || query === "" ? [] : [query]),
    ...credentials.flatMap(({ in: location, name, value }) =>
      location === "query" ? [`${encodeURIComponent(name)}=${value}`] : [],
    ),
  ]
  const headers = Object.fromEntries(
    credentials.flatMap(({ in: location, name, value }) =>
      location === "header"
        ? [[name, value]]
        : location === "cookie"
          ? [["cookie", `${name}=${value}`]]
          : [],
    ),
  )
  return {
    url: `${address.replace(/\/+$/, "")}${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`,
    method,
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

function httpToolOf(
  { name }: OpenApiOperation,
  { description: text, parameters }: OperationTool,
  endpoint: HttpEndpoint,
  toolset: Omit<ParsedOpenApiToolset, "tools">,
): ParsedHttpTool {
  const { prefix, requireConfirmation, expiresInMs, onExpiry, location } = toolset
  const activity: Activity | null = toolset.activity
  const id = prefix === null ? name : `${prefix}_${name}`
  return {
    ...absentFields(httpTool.fields),
    ...withoutNulls({ activity, expiresInMs, onExpiry }),
    type: "HttpTool",
    id,
    description: text,
    parameters,
    endpoint,
    requireConfirmation,
    location: {
      ...location,
      owner: { kind: "tool", id, label: `the operation ${describeValue(id)}` },
    },
    // An operation has no fields in the config, so every field has the location of the toolset.
    fieldAt: () => ({
      ...location,
      owner: { kind: "tool", id, label: `the operation ${describeValue(id)}` },
    }),
  }
}

const readers = { ...sharedReaders, url, openApiDocument, openApiAuth }

const tables = {
  "graph-compose": describedTable(description, "graph-compose", readers),
  adk: describedTable(description, "adk", readers),
} as const
