import type { CompileAs } from "../../serving/compile-as.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import type { MemoryService } from "../../runtime/journal/memory-service.js"
import type { ResponseCache } from "../../runtime/journal/response-cache.js"
import type { SessionStore } from "../../runtime/journal/session-store.js"
import type { OnRun } from "../../runtime/runner/runner-options.js"
import { cacheRunList } from "../../serving/cache-run-list.js"
import { RunHub } from "../../serving/run-hub.js"
import type { OpenRunServices } from "../../serving/run-services.js"
import type { DeliveriesOptions, OpenTarget } from "../webhooks/deliveries.js"
import { Deliveries } from "../webhooks/deliveries.js"
import type { ServedWorkflows } from "../workflows/served-workflows.js"
import { servedWorkflows } from "../workflows/served-workflows.js"
import type { Retention } from "./retention.js"
import { startRetention } from "./retention.js"
import type { Resumption } from "./resumption.js"
import { RunResumer } from "./resumption.js"
import { shareServices } from "./share-services.js"

/** Options that the HTTP server and the MCP server on stdio share. */
export interface OpenRunsOptions {
  /** Path of a workflow file, or of a folder with workflows. */
  readonly path: string
  readonly journal: CompleteJournal
  /** Store of the sessions of runs. By default, sessions are kept in memory. */
  readonly sessions?: SessionStore
  /** Long-term memory of users. Default: none. */
  readonly memory?: MemoryService
  /** Cache for the responses of models. By default, each runner has a cache in memory. */
  readonly responseCache?: ResponseCache
  /** Called with each run that the server executes, for example to trace the run. */
  readonly onRun?: OnRun
  readonly openServices: OpenRunServices
  /** Maximum number of runs that are open in memory. Default: 10,000. */
  readonly maxOpenRuns?: number
  /**
   * Whether a `scenario.json` next to a workflow file replaces the models and tools of the
   * workflow.
   */
  readonly scripted?: boolean
  readonly compileAs?: CompileAs
  /**
   * Options for resuming runs that no process executes, at startup and later. By default, such a
   * run is resumed only when a client sends it a message.
   */
  readonly resume?: Resumption | null
  /** Options for deleting ended runs. By default, runs are never deleted. */
  readonly retention?: Retention
  /** Options for the delivery of run events to webhooks. By default, events are not delivered. */
  readonly deliveries?: DeliveriesOptions
  readonly version?: string
}

/** Numbers of interrupted runs that a server has found at startup. */
export interface RunsAtStart {
  /** Number of interrupted runs that were resumed. */
  readonly resumed: number
  /** Number of interrupted runs that were not resumed. */
  readonly interrupted: number
}

/** The workflows and runs of a server. */
export interface OpenRuns {
  readonly workflows: ServedWorkflows
  readonly runs: RunHub
  /**
   * Delivers run events to webhooks. Null if the server has no store for the progress of
   * deliveries.
   */
  readonly deliveries: Deliveries | null
  /**
   * Starts the delivery of run events. `openTarget` creates the receivers that clients have
   * registered.
   */
  startDeliveries(openTarget: OpenTarget): void
  /** Searches for interrupted runs, and starts to resume them if this is enabled. */
  resume(): Promise<RunsAtStart>
  /**
   * Waits up to `drainMs` milliseconds (default: 0) until no call is in flight. Then closes all
   * runs. Runs that have not ended are interrupted and can be resumed later.
   */
  close(drainMs?: number): Promise<void>
}

/** Time for which the list of runs of other processes is cached, in milliseconds. */
const listCacheMs = 1_000

/** Compiles the workflows of a server, and creates the hub that starts and resumes their runs. */
export function openRuns({
  path,
  journal,
  sessions,
  memory,
  responseCache,
  onRun,
  openServices,
  scripted = false,
  compileAs = {},
  resume = null,
  retention,
  deliveries: deliveriesOptions,
}: OpenRunsOptions): OpenRuns {
  const workflows = servedWorkflows(path, { scripted, compileAs })
  const byId = Object.fromEntries(workflows.all.map(({ id, chart }) => [id, chart]))
  const services = shareServices((chart, files) => openServices(chart, files, byId))
  const deliveries =
    deliveriesOptions === undefined ? null : new Deliveries(deliveriesOptions, workflows)
  const watched = deliveries === null ? journal : deliveries.watched(journal)
  const runs = new RunHub(
    cacheRunList(watched, listCacheMs, Date.now),
    services.open,
    {
      ...(sessions !== undefined && { sessions }),
      ...(memory !== undefined && { memory }),
      ...(responseCache !== undefined && { responseCache }),
      ...(onRun !== undefined && { onRun }),
    },
    (live, run) => deliveries?.follow(live, run),
  )
  const resumer = resume === null ? null : new RunResumer(runs, resume)
  const stopRetention =
    retention === undefined ? async () => {} : startRetention(journal, retention)
  return {
    workflows,
    runs,
    deliveries,
    startDeliveries: (openTarget) => deliveries?.start(runs, journal, openTarget),
    async resume() {
      if (resumer !== null) {
        const { resumed, failed } = await resumer.start()
        return { resumed, interrupted: failed }
      }
      const all = await runs.list()
      return {
        resumed: 0,
        interrupted: all.filter(({ status }) => status === "interrupted").length,
      }
    },
    async close(drainMs) {
      await resumer?.close()
      await stopRetention()
      await runs.close(drainMs)
      await deliveries?.close()
      await services.close()
    },
  }
}
