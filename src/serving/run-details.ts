import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import { runAt } from "../runtime/history/snapshot-at.js"
import type { RunSummary, StoredRun } from "../runtime/journal/journal.js"
import type { LiveRun } from "./live-run.js"
import type { RunOrigin } from "./run-origin.js"
import { originOf } from "./run-origin.js"

/** A run in a list. */
export interface HubRun extends Omit<RunSummary, "status"> {
  /** `interrupted`: the run has not ended, and no process executes it. */
  readonly status: RunSummary["status"] | "interrupted"
  /** Whether this process executes it. */
  readonly isHere: boolean
}

/** One run with its events and result. */
export interface RunDetails {
  readonly runId: string
  readonly chart: AgentChart
  readonly origin: RunOrigin
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Whether this process executes it. */
  readonly isHere: boolean
  /** The `about` with which the run was started. */
  readonly about: Readonly<Record<string, unknown>>
  /** All events so far. */
  readonly events: readonly RunEvent[]
  /** Status, text and state. While the run is open, they contain the finished work so far. */
  readonly result: RunResult
  readonly pending: RunSummary["pending"]
}

/** A run that this process executes, with the fields of its header. */
export interface LiveEntry {
  readonly live: LiveRun
  readonly chart: AgentChart
  readonly about: Readonly<Record<string, unknown>>
  readonly startedAt: number
}

/** Returns the details of a run that this process executes. */
export const liveDetails = (
  runId: string,
  { live, chart, about, startedAt }: LiveEntry,
): RunDetails => ({
  runId,
  chart,
  about,
  origin: originOf(about),
  startedAt,
  isHere: !live.hasEnded,
  events: live.events,
  result: live.run.snapshot(),
  pending: live.run.pending(),
})

/** Returns the details of a run that this process does not execute, from its records. */
export function storedDetails(runId: string, stored: StoredRun): RunDetails {
  const { result, pending, events } = runAt(stored)
  const { chart, about = {}, at: startedAt } = stored.header
  return {
    runId,
    chart,
    about,
    origin: originOf(about),
    startedAt,
    isHere: false,
    events,
    result,
    pending,
  }
}

/** Returns the summary of a run that this process executes. */
export const liveSummary = (runId: string, { live, chart, startedAt }: LiveEntry): RunSummary => ({
  runId,
  chart: chart.id,
  startedAt,
  status: live.run.status,
  pending: live.run.pending(),
  owner: null,
})

/**
 * Merges the journal's summary of a run with its live state. `live` is undefined if this process
 * does not execute the run.
 */
export function hubRun(
  { runId, chart, startedAt, status, pending, owner }: RunSummary,
  live: LiveRun | undefined,
): HubRun {
  const currentStatus = live?.run.status ?? status
  const isInterrupted = live === undefined && currentStatus === "running" && owner === null
  return {
    runId,
    chart,
    startedAt,
    status: isInterrupted ? "interrupted" : currentStatus,
    pending: live?.run.pending() ?? pending,
    isHere: live?.hasEnded === false,
    owner: live === undefined ? owner : null,
  }
}
