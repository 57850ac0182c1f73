import type * as z from "zod"
import type { Context, Hono } from "hono"
import { parseBody, parseInput } from "../../serving/parse-request.js"
import type { ApiOperation, SuccessStatus } from "./operations.js"
import { noBody } from "./operations.js"

/**
 * A validated HTTP request. The schemas of the API operation have validated its parameters and its
 * body.
 */
export interface ApiRequest<Query, Headers, Body> {
  readonly context: Context
  /** Id of the run in the request path. Empty if the path contains no run id. */
  readonly runId: string
  readonly query: Query
  readonly headers: Headers
  readonly body: Body
}

/**
 * JSON response of an API operation. Without `status`, the response has the default status of the
 * operation.
 */
export interface ApiResponse<Result> {
  readonly body: Result
  readonly status?: SuccessStatus
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Adds the HTTP route of an API operation. Validates requests with the schemas of the operation
 * before it calls `handle`. `handle` returns a JSON response, or a `Response` with another media
 * type.
 */
export function addRoute<Query, Headers, Body, Result>(
  routes: Hono,
  operation: ApiOperation<Query, Headers, Body, Result>,
  handle: (
    request: ApiRequest<Query, Headers, Body>,
  ) => ApiResponse<Result> | Response | Promise<ApiResponse<Result> | Response>,
): void {
  routes.on(operation.method, operation.path.replace("{id}", ":id"), async (context) => {
    const response = await handle({
      context,
      runId: context.req.param("id") ?? "",
      query: parseInput(operation.query, context.req.query()),
      headers: parseInput(operation.headers, context.req.header()),
      body: await readBody(context.req.raw, operation.body),
    })
    if (response instanceof Response) return response
    const { body, status = operation.status, headers } = response
    return context.json(body, status, headers)
  })
}

/** Reads and validates the JSON body of a request. A missing body counts as `{}`. */
async function readBody<Body>(request: Request, schema: z.ZodType<Body>): Promise<Body> {
  if (schema === noBody) return parseInput(schema, undefined)
  return request.body === null || request.headers.get("content-length") === "0"
    ? parseInput(schema, {})
    : parseBody(request, schema)
}
