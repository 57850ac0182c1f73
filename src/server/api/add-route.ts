import type * as z from "zod"
import type { Context, Hono } from "hono"
import { parseBody, parseInput } from "../../serving/parse-request.js"
import type { ApiOperation, SuccessStatus } from "./operations.js"
import { noBody } from "./operations.js"

/** A request whose parameters and body have been validated with the schemas of its operation. */
export interface ApiRequest<Query, Headers, Body> {
  readonly context: Context
  /** The run id in the path. Empty if the path contains none. */
  readonly runId: string
  readonly query: Query
  readonly headers: Headers
  readonly body: Body
}

/**
 * The JSON response of an operation. If `status` is missing, the default status of the operation is
 * used.
 */
export interface ApiResponse<Result> {
  readonly body: Result
  readonly status?: SuccessStatus
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Adds the route of an operation. Requests are validated with the schemas of the operation before
 * `handle` is called. `handle` returns a JSON response, or a `Response` with another media type.
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

/** Reads and validates the body of a request. A missing body is treated as `{}`. */
async function readBody<Body>(request: Request, schema: z.ZodType<Body>): Promise<Body> {
  if (schema === noBody) return parseInput(schema, undefined)
  return request.body === null || request.headers.get("content-length") === "0"
    ? parseInput(schema, {})
    : parseBody(request, schema)
}
