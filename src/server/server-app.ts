import type { MiddlewareHandler } from "hono"
import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { cors } from "hono/cors"
import { cachedDrawings } from "../drawing/svg/cached-drawings.js"
import { respondWithError, HttpError } from "../serving/http-error.js"
import type { RunHub } from "../serving/run-hub.js"
import { onlyOrigins, onlyWithToken } from "./access/access-guards.js"
import { addRoute } from "./api/add-route.js"
import { openApi } from "./api/open-api.js"
import { operations } from "./api/operations.js"
import { a2aRoutes } from "./protocols/a2a/a2a-routes.js"
import type { PushParts } from "./protocols/a2a/a2a-push.js"
import { agUiRoutes } from "./protocols/ag-ui/ag-ui-routes.js"
import { graphComposeRoutes } from "./protocols/graph-compose/graph-compose-routes.js"
import { graphRoutes } from "./protocols/graph-compose/graph-routes.js"
import type { McpPackage } from "./protocols/mcp/mcp-package.js"
import { mcpRoutes } from "./protocols/mcp/mcp-routes.js"
import { runRoutes } from "./api/run-routes.js"
import { scheduleRoutes } from "./api/schedule-routes.js"
import { incomingRoutes } from "./api/incoming-routes.js"
import { webhookRoutes } from "./api/webhook-routes.js"
import type { ServedWorkflows } from "./workflows/served-workflows.js"
import type { StartRun } from "./runs/start-run.js"
import type { Schedules } from "./schedules/schedules.js"
import type { Deliveries } from "./webhooks/deliveries.js"
import type { IncomingWebhook } from "./webhooks/webhook.js"

/** Dependencies and options of the server's HTTP app. */
export interface ServerParts {
  readonly workflows: ServedWorkflows
  readonly runs: RunHub
  /** Bearer token that clients must send. Null means that no token is required. */
  readonly token: string | null
  /** Origins of web pages that are allowed to call the server. */
  readonly origins: ReadonlySet<string>
  /** Host names that requests may use. Null accepts all host names. */
  readonly names: ReadonlySet<string> | null
  /** HTML of the page at `/`. Null means that the server has no page. */
  readonly page: string | null
  readonly startRun: StartRun
  readonly schedules: Schedules
  /**
   * Delivers run events to webhooks. Null if the server has no store for the progress of
   * deliveries.
   */
  readonly deliveries: Deliveries | null
  /** Incoming webhooks. Their messages answer pending requests of runs. */
  readonly incoming: readonly IncomingWebhook[]
  /** Dependencies of A2A push notifications. Null if the server does not support them. */
  readonly push: PushParts | null
  readonly maxBodyBytes: number
  /** Middleware that limits the request rate. Null means no limit. */
  readonly limitRate: MiddlewareHandler | null
  readonly version: string
  /** The optional npm package for MCP servers. Null if the server does not serve MCP. */
  readonly mcp: McpPackage | null
  /** Returns whether the server is stopping. Requests are then rejected with status 503. */
  isClosing(): boolean
  /** Throws an error if the server cannot read its journal of runs. */
  checkJournal(): Promise<void>
}

/** Request headers of MCP clients, which the CORS policy must allow. */
const mcpHeaders = ["mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"]

/**
 * Content security policy of the page at `/`. It allows inline scripts and styles, and requests to
 * this server only.
 */
const pagePolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Creates the HTTP app of the server, which serves the JSON API and all protocols. Requests need a
 * token, except those to `/health`, `/ready`, `/openapi.json`, incoming webhooks and the page.
 */
export function serverApp({
  workflows,
  runs,
  token,
  origins,
  names,
  page,
  startRun: start,
  schedules,
  deliveries,
  incoming,
  push,
  maxBodyBytes,
  limitRate,
  version,
  mcp,
  isClosing,
  checkJournal,
}: ServerParts): Hono {
  const app = new Hono()
  app.onError(respondWithError)
  app.use(async (context, next) => {
    if (isClosing()) {
      context.header("connection", "close")
      throw new HttpError(503, {
        code: "shutting_down",
        message: "the server is stopping; send the request again after its restart",
      })
    }
    await next()
    context.header("x-content-type-options", "nosniff")
    if (!context.res.headers.has("cache-control")) context.header("cache-control", "no-store")
  })
  app.use(onlyOrigins(origins, names))
  if (origins.size > 0)
    app.use(
      cors({
        origin: [...origins],
        allowHeaders: [
          "authorization",
          "content-type",
          "last-event-id",
          ...(mcp === null ? [] : mcpHeaders),
        ],
        exposeHeaders: ["location", "retry-after"],
        maxAge: 600,
      }),
    )
  addRoute(app, operations.health, () => ({ body: { status: "ok", openRuns: runs.openCount } }))
  addRoute(app, operations.ready, async () => {
    await checkJournal()
    return { body: { status: "ready" } }
  })
  app.get("/openapi.json", (context) => context.json(openApi(version)))
  if (page !== null)
    app.get("/", (context) =>
      context.html(page, 200, {
        "content-security-policy": pagePolicy,
        "referrer-policy": "no-referrer",
      }),
    )
  if (limitRate !== null) app.use(limitRate)
  const limitBody = bodyLimit({
    maxSize: maxBodyBytes,
    onError: (context) =>
      context.json(
        {
          code: "body_too_large",
          message: `the body of the request must have at most ${maxBodyBytes} bytes; to allow more, start the server with a larger --max-body`,
        },
        413,
      ),
  })
  // Incoming webhooks need no token, because other programs sign their requests.
  const store = deliveries?.store ?? null
  app.route("/", incomingRoutes({ webhooks: incoming, runs, store, limitBody }))
  if (token !== null) app.use(onlyWithToken(token))
  app.use(limitBody)

  app.route("/", runRoutes(workflows, runs, start, cachedDrawings()))
  app.route("/", scheduleRoutes(schedules))
  app.route("/", webhookRoutes(deliveries))
  app.route("/a2a", a2aRoutes(workflows, runs, start, push, version))
  app.route("/ag-ui", agUiRoutes(workflows, runs, start))
  app.route("/api/v1/workflows", graphComposeRoutes(runs))
  app.route("/api/v1/workflows", graphRoutes(runs))
  if (mcp !== null)
    app.route("/mcp", mcpRoutes({ sdk: mcp, workflows, runs, start, version }, maxBodyBytes))
  app.all("*", (context) =>
    context.json(
      {
        code: "unknown_route",
        message: `the route ${context.req.method} ${context.req.path} does not exist; GET /openapi.json lists all routes`,
      },
      404,
    ),
  )
  return app
}
