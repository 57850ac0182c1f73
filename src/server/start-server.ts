import { randomBytes } from "node:crypto"
import { getConnInfo } from "@hono/node-server/conninfo"
import type { HostRuleOptions } from "../adapters/http/client/host-rule.js"
import { createHostRule } from "../adapters/http/client/host-rule.js"
import { createHttpClient } from "../adapters/http/client/node-client.js"
import { listenWith } from "../adapters/listen.js"
import type { OpenRunsOptions } from "./runs/open-runs.js"
import { openRuns } from "./runs/open-runs.js"
import { journalCheck } from "./runs/journal-check.js"
import { pushTargets } from "./protocols/a2a/a2a-push.js"
import { loadA2aPackage } from "./protocols/a2a/a2a-routes.js"
import { loadMcpPackage } from "./protocols/mcp/mcp-package.js"
import { rateLimit } from "./access/rate-limit.js"
import type { RefusedFile, ServedWorkflow } from "./workflows/served-workflows.js"
import { systemClock } from "../runtime/host/system-clock.js"
import { startRun } from "./runs/start-run.js"
import type { Schedule } from "./schedules/schedule.js"
import type { ScheduleHost } from "./schedules/schedule-timer.js"
import { openSchedules } from "./schedules/schedules.js"
import type { DeliveryStore } from "../runtime/journal/delivery-store.js"
import type { WebhookConfig } from "./webhooks/webhook.js"
import { serverApp } from "./server-app.js"

export interface ServerOptions extends OpenRunsOptions {
  /** Host to listen on. Default: 127.0.0.1, which only accepts connections from this computer. */
  readonly host?: string
  /** Port to listen on. Default: 0, which selects a free port. */
  readonly port?: number
  /**
   * Bearer token that clients must send. Default: a random token. Null means that no token is
   * required.
   */
  readonly token?: string | null
  /** Origins of web pages that may call the server, for example `https://app.example.com`. */
  readonly origins?: readonly string[]
  /** HTML of the page at `/`. Default: no page. */
  readonly page?: string
  /** Schedules that start runs. Default: none. */
  readonly schedules?: readonly Schedule[]
  /** Called if a schedule cannot start a run. */
  readonly onScheduleFailed?: ScheduleHost["onFailed"]
  /** Webhooks of the server. They need a `deliveryStore`. Default: none. */
  readonly webhooks?: WebhookConfig
  /**
   * Hosts to which the server may send push notifications for A2A clients. Default: all public
   * hosts.
   */
  readonly pushHosts?: HostRuleOptions
  /**
   * Store for the progress of webhook deliveries and push notifications. Without it, the server
   * supports neither of them.
   */
  readonly deliveryStore?: DeliveryStore
  /** Called if the progress of deliveries cannot be read or stored. The server then tries again. */
  readonly onDeliveryFailed?: (error: unknown) => void
  /** Maximum size of a request body in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** Maximum number of requests per second and IP address. Default: 100. 0 means no limit. */
  readonly perSecond?: number
  /** Maximum time to receive a request with its body, in milliseconds. Default: 60,000. */
  readonly requestTimeoutMs?: number
  /** Whether to serve MCP at `/mcp`. Needs `@modelcontextprotocol/server`. Default: false. */
  readonly mcp?: boolean
  /**
   * Maximum time in milliseconds that `close` waits for model and tool calls in flight. Default: 0,
   * which aborts these calls.
   */
  readonly drainMs?: number
}

/** A server that is listening for HTTP requests. */
export interface AgentServer {
  readonly url: string
  readonly port: number
  readonly token: string | null
  readonly workflows: readonly ServedWorkflow[]
  readonly refused: readonly RefusedFile[]
  /** Number of interrupted runs that were resumed at startup. */
  readonly resumed: number
  /** Number of interrupted runs that were not resumed at startup. */
  readonly interrupted: number
  /**
   * Stops accepting requests, waits for calls in flight if `drainMs` is set, and closes all runs.
   * Runs that have not ended are interrupted and can be resumed later, also by another process.
   */
  close(): Promise<void>
}

/** Maximum time in milliseconds that open HTTP requests have to finish when the server stops. */
const grace = 2_000

/** Returns whether a server on this host accepts connections only from the same computer. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

/**
 * Starts an HTTP server that runs workflows for clients. It serves a JSON API, event streams, and
 * the protocols AG-UI, A2A and MCP.
 */
export async function startServer(options: ServerOptions): Promise<AgentServer> {
  const {
    host = "127.0.0.1",
    port = 0,
    token = randomBytes(18).toString("base64url"),
    perSecond = 100,
  } = options
  const mcp = options.mcp === true ? await loadMcpPackage() : null
  const client = createHttpClient({ maxResponseBytes: 64 * 1024 })
  const open = openRuns({
    ...options,
    ...(options.deliveryStore !== undefined && {
      deliveries: {
        webhooks: options.webhooks?.outgoing ?? [],
        store: options.deliveryStore,
        client,
        clock: systemClock,
        random: Math.random,
        onFailed: options.onDeliveryFailed ?? (() => {}),
      },
    }),
  })
  const { workflows, runs } = open
  const start = startRun(runs, options.maxOpenRuns ?? 10_000)
  const schedules = openSchedules({
    schedules: options.schedules ?? [],
    workflows,
    journal: options.journal,
    runs,
    startRun: start,
    clock: systemClock,
    onFailed: options.onScheduleFailed ?? (() => {}),
  })
  const rule = createHostRule(options.pushHosts ?? {})
  let isClosing = false
  const app = serverApp({
    workflows,
    runs,
    token,
    origins: new Set(options.origins),
    names: isLoopback(host) ? new Set(["127.0.0.1", "localhost", "[::1]", host]) : null,
    page: options.page ?? null,
    maxBodyBytes: options.maxBodyBytes ?? 1024 * 1024,
    startRun: start,
    schedules,
    deliveries: open.deliveries,
    push: open.deliveries === null ? null : { deliveries: open.deliveries, rule },
    incoming: options.webhooks?.incoming ?? [],
    limitRate:
      perSecond === 0
        ? null
        : rateLimit({
            perSecond,
            now: Date.now,
            clientOf: (context) => getConnInfo(context).remote.address ?? "",
          }),
    version: options.version ?? "0.0.0",
    mcp,
    isClosing: () => isClosing,
    checkJournal: journalCheck(options.journal, Date.now),
  })
  const {
    server,
    port: bound,
    origin,
  } = await listenWith(app, {
    host,
    port,
    ...(options.requestTimeoutMs !== undefined && { requestTimeoutMs: options.requestTimeoutMs }),
  })
  open.startDeliveries(pushTargets(runs, rule, loadA2aPackage))
  const runsAtStart = await open.resume()
  await schedules.start()
  return {
    url: origin,
    port: bound,
    token,
    workflows: workflows.all,
    refused: workflows.refused,
    ...runsAtStart,
    async close() {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await schedules.stop()
      await open.close(options.drainMs)
      await client.close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), grace)
      await closed
      clearTimeout(timer)
    },
  }
}
