import type { CompileAs } from "../../serving/compile-as.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import { cacheRunList } from "../../serving/cache-run-list.js"
import type { HubRun } from "../../serving/run-details.js"
import { RunHub } from "../../serving/run-hub.js"
import type { OpenRunServices } from "../../serving/run-services.js"
import type { ServedWorkflows } from "../workflows/served-workflows.js"
import { servedWorkflows } from "../workflows/served-workflows.js"
import type { Retention } from "./retention.js"
import { startRetention } from "./retention.js"
import { shareServices } from "./share-services.js"

/** Options that the HTTP server and the MCP server on stdio have in common. */
export interface ServedOptions {
  /** Path of a workflow, or of a folder with workflows. */
  readonly place: string
  readonly journal: CompleteJournal
  readonly openServices: OpenRunServices
  /** Maximum number of runs that are open in memory. Default: 10,000. */
  readonly maxOpenRuns?: number
  /** Whether a `scenario.json` next to a workflow replaces its models and tools. */
  readonly scripted?: boolean
  readonly compileAs?: CompileAs
  /** Whether to resume interrupted runs at startup. */
  readonly resume?: boolean
  /** When to delete ended runs. Default: runs are never deleted. */
  readonly retention?: Retention
  readonly version?: string
}

/** The interrupted runs that a server finds when it starts. */
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
  /** Finds the interrupted runs, and resumes them if this is enabled. */
  resume(): Promise<RunsAtStart>
  /** Closes all runs. They are interrupted and can be resumed later. */
  close(): Promise<void>
}

/** Time for which the list of runs of other processes is cached, in milliseconds. */
const listCacheMs = 1_000

/** Compiles the workflows and opens the runs of a server. */
export function openRuns({
  place,
  journal,
  openServices,
  scripted = false,
  compileAs = {},
  resume = false,
  retention,
}: ServedOptions): OpenRuns {
  const workflows = servedWorkflows(place, { scripted, compileAs })
  const byId = Object.fromEntries(workflows.all.map(({ id, chart }) => [id, chart]))
  const services = shareServices((chart, files) => openServices(chart, files, byId))
  const runs = new RunHub(cacheRunList(journal, listCacheMs, Date.now), services.open)
  const stopRetention =
    retention === undefined ? async () => {} : startRetention(journal, retention)
  return {
    workflows,
    runs,
    resume: () => resumeInterrupted(runs, resume),
    async close() {
      await stopRetention()
      await runs.close()
      await services.close()
    },
  }
}

async function resumeInterrupted(runs: RunHub, isEnabled: boolean): Promise<RunsAtStart> {
  const interrupted = (await runs.list()).filter(({ status }) => status === "interrupted")
  if (!isEnabled) return { resumed: 0, interrupted: interrupted.length }
  let resumed = 0
  for (const group of callersFirst(interrupted)) {
    const settled = await Promise.allSettled(group.map(({ runId }) => runs.resume(runId)))
    resumed += settled.filter(({ status }) => status === "fulfilled").length
  }
  return { resumed, interrupted: interrupted.length - resumed }
}

/**
 * Yields runs in groups, so that each run is in a later group than the run that called it. Callers
 * are resumed first, because a resumed caller also resumes the child runs that it awaits. A child
 * run that is resumed on its own would replay its caller.
 */
function* callersFirst(runs: readonly HubRun[]): Generator<readonly HubRun[]> {
  let left = runs
  while (left.length > 0) {
    const ids = new Set(left.map(({ runId }) => runId))
    const isCalled = ({ calledBy }: HubRun): boolean =>
      calledBy !== undefined && ids.has(calledBy.runId)
    yield left.filter((run) => !isCalled(run))
    left = left.filter(isCalled)
  }
}
