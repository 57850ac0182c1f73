import type { PendingRequest } from "../machines/contract/pending-request.js"
import type { RunStatus } from "../machines/contract/run-event.js"
import type { UserContent } from "../machines/contract/user-content.js"
import type { ClientOptions } from "./connection.js"
import { ServerConnection } from "./connection.js"
import { RemoteRun } from "./remote-run.js"
import type { RemoteWebhooks } from "./remote-webhooks.js"

/** A workflow that a server can start. */
export interface RemoteWorkflow {
  /**
   * Id of the workflow, derived from the path of its file. For example, the id of
   * `team/desk/workflow.json` is `team.desk`.
   */
  readonly id: string
  readonly file: string
  /** Id of the chart (statechart) that the workflow compiles to. */
  readonly chart: string
  readonly dialect: "graph-compose" | "adk"
  /**
   * Default first user message of a run, used if `start` has no `prompt` option. Null if the
   * workflow has no default.
   */
  readonly prompt: string | null
}

/** An entry in a server's list of runs. */
export interface RemoteRunSummary {
  readonly runId: string
  readonly chart: string
  /** Time at which the run was started, in milliseconds since the epoch. */
  readonly startedAt: number
  /**
   * Time at which the run ended or began to wait for an answer, in milliseconds since the epoch.
   * Absent while the run executes, or if the server's journal does not store the time.
   */
  readonly settledAt?: number
  /**
   * `interrupted` means that the run has not finished, but no process is executing it. Call
   * `resume()` of the run to continue it.
   */
  readonly status: RunStatus | "interrupted"
  readonly pending: readonly PendingRequest[]
  readonly owner: string | null
  readonly isHere: boolean
  /**
   * The run that started this run, and the path of the agent that started it. Absent if the run was
   * not started by another run.
   */
  readonly calledBy?: { readonly runId: string; readonly path: string }
}

export interface RemoteStartOptions {
  /** Id of the workflow to run, as in the result of `workflows()`. */
  readonly workflow: string
  /** First user message. Default: the prompt of the workflow. */
  readonly prompt?: UserContent | null
  /** Initial values of the session state. They override the initial values in the workflow. */
  readonly state?: Readonly<Record<string, unknown>>
  /**
   * Values that override the context values of the workflow. Only allowed for task graphs (graphs
   * of Graph Compose).
   */
  readonly context?: Readonly<Record<string, unknown>>
  /**
   * The session (the stored state and messages of a conversation) that the run continues or
   * creates. The default values of the fields are the chart id, `"user"` and the run id. If
   * `session` is absent, the run uses no session.
   */
  readonly session?: {
    readonly appName?: string
    readonly userId?: string
    readonly sessionId?: string
  }
  /**
   * Id of the run. If a run with this id exists, `start` rejects with the code `run_exists`.
   * Therefore you can safely repeat a failed start with the same id. Default: a random id.
   */
  readonly runId?: string
}

/** A schedule of a server. It starts runs of a workflow at fixed times or intervals. */
export interface RemoteSchedule {
  readonly name: string
  /** Id of the workflow that the schedule starts. */
  readonly workflow: string
  /** Cron expression, for example `0 9 * * *`. Absent if the schedule has an interval. */
  readonly cron?: string
  /**
   * Time zone of the cron expression, for example `Europe/Rome`. Absent if the schedule has an
   * interval.
   */
  readonly timezone?: string
  /** Time between two starts in milliseconds. Absent if the schedule has a cron expression. */
  readonly everyMs?: number
  readonly missed: "skip" | "run-once" | "run-all"
  readonly overlap: "skip" | "allow"
  readonly paused: boolean
  /**
   * The next time at which the schedule starts a run, in milliseconds since the epoch. Null if no
   * start is planned.
   */
  readonly nextDueAt: number | null
  /** The latest run that the schedule has started. Null if it has not started a run yet. */
  readonly lastRun: {
    readonly runId: string
    readonly dueAt: number
    readonly status: RunStatus
  } | null
}

/**
 * A client for one server, created with `createClient`. It keeps no connection open, so you do not
 * need to close it.
 */
export interface Client {
  /** Returns the workflows that the server can start. */
  workflows(): Promise<readonly RemoteWorkflow[]>
  /** Returns the runs in the server's journal, newest first. The default `limit` is 100. */
  runs(filter?: {
    readonly limit?: number
    readonly status?: RemoteRunSummary["status"]
  }): Promise<readonly RemoteRunSummary[]>
  /** Returns the server's schedules, each with its next due time and its last run. */
  schedules(): Promise<readonly RemoteSchedule[]>
  /**
   * Returns the server's webhooks and the incomplete deliveries of run events to them. `limit` is
   * the maximum number of deliveries, 100 by default.
   */
  webhooks(filter?: { readonly limit?: number }): Promise<RemoteWebhooks>
  /** Retries all failed deliveries of the webhook `name` and returns their number. */
  retryWebhook(name: string): Promise<number>
  /** Starts a run. The promise resolves after the server's journal has stored the start. */
  start(options: RemoteStartOptions): Promise<RemoteRun>
  /**
   * Returns an object that controls the run with this id. No request is sent, so the method does
   * not check whether the run exists.
   */
  run(id: string): RemoteRun
}

/**
 * Creates a client for a server that was started with `agent-statecharts serve`. Works in browsers,
 * workers and Node. All methods reject with a `ClientError`.
 *
 * @throws ClientError `invalid_url` if `url` is not an http or https address.
 * @example
 * const client = createClient({ url: "http://127.0.0.1:4000", token })
 * const run = await client.start({ workflow: "human-approval" })
 * const { pending } = await run.whenSettled()
 * await run.approve(pending[0].id)
 * for await (const event of run.events()) console.log(event.type)
 */
export function createClient(options: ClientOptions): Client {
  const connection = new ServerConnection(options)
  return {
    workflows: () => connection.json("listWorkflows"),
    async runs({ limit, status } = {}) {
      const { runs } = await connection.json<{ readonly runs: readonly RemoteRunSummary[] }>(
        "listRuns",
        { query: { limit, status } },
      )
      return runs
    },
    async schedules() {
      const { schedules } = await connection.json<{
        readonly schedules: readonly RemoteSchedule[]
      }>("listSchedules")
      return schedules
    },
    webhooks: ({ limit } = {}) => connection.json("listWebhooks", { query: { limit } }),
    async retryWebhook(name) {
      const { retried } = await connection.json<{ readonly retried: number }>("retryWebhook", {
        id: name,
      })
      return retried
    },
    async start(body) {
      const { runId } = await connection.json<{ readonly runId: string }>("startRun", { body })
      return new RemoteRun(connection, runId)
    },
    run: (id) => new RemoteRun(connection, id),
  }
}
