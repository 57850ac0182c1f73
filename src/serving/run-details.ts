import type { AgentChart } from "../machines/contract/agent-chart.js"
import type { RunEvent, RunResult } from "../machines/contract/run-event.js"
import { runAt } from "../runtime/history/snapshot-at.js"
import type { JournalHeader, RunSummary, StoredRun } from "../runtime/journal/journal.js"
import { callerOf, startedAtOf } from "../runtime/journal/journal.js"
import type { LiveRun } from "./live-run.js"
import type { RunOrigin } from "./run-origin.js"
import { originOf } from "./run-origin.js"

/** An entry in a server's list of runs. */
export interface HubRun extends Omit<RunSummary, "status"> {
  /**
   * Status of the run. `interrupted` means that the run has not ended, but no process executes it.
   */
  readonly status: RunSummary["status"] | "interrupted"
  /** Whether this process executes the run. */
  readonly isHere: boolean
}

/** A run with its events and its result. */
export interface RunDetails extends Pick<RunSummary, "calledBy"> {
  readonly runId: string
  readonly chart: AgentChart
  readonly origin: RunOrigin
  /** Start time in milliseconds since the epoch. */
  readonly startedAt: number
  /** Whether this process executes the run. */
  readonly isHere: boolean
  /**
   * Value of the option `about` with which the run was started. It contains any data that the
   * starting program wants to store with the run.
   */
  readonly about: Readonly<Record<string, unknown>>
  /** All events that the run has emitted so far. */
  readonly events: readonly RunEvent[]
  /** Result of the run. If the run has not ended, `text` and `state` contain the current values. */
  readonly result: RunResult
  readonly pending: RunSummary["pending"]
}

/** A run that this process executes, with data from its journal header. */
export interface LiveEntry extends Pick<RunSummary, "calledBy"> {
  readonly live: LiveRun
  readonly chart: AgentChart
  readonly about: Readonly<Record<string, unknown>>
  readonly startedAt: number
}

/** Returns the details of a run that this process executes, without reading the journal. */
export const liveDetails = (
  runId: string,
  { live, chart, about, startedAt, calledBy }: LiveEntry,
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
  ...(calledBy !== undefined && { calledBy }),
})

/**
 * Returns the details of a run that this process does not execute. They are computed from the
 * journal records of the run.
 */
export function storedDetails(runId: string, stored: StoredRun): RunDetails {
  const { result, pending, events } = runAt(stored)
  const { chart, about = {} } = stored.header
  return {
    runId,
    chart,
    about,
    origin: originOf(about),
    startedAt: startedAtOf(stored.header),
    isHere: false,
    events,
    result,
    pending,
    ...callerOf(stored.header),
  }
}

/** Returns the list entry of a run that this process executes, without reading the journal. */
export const liveSummary = (
  runId: string,
  { live, chart, startedAt, calledBy }: LiveEntry,
): RunSummary => ({
  runId,
  chart: chart.id,
  startedAt,
  status: live.run.status,
  pending: live.run.pending(),
  owner: null,
  ...(calledBy !== undefined && { calledBy }),
})

/**
 * Returns the list entry of a run for display. `live` is the run if this process executes it, and
 * undefined otherwise.
 */
export function hubRun(
  { runId, chart, startedAt, settledAt, status, pending, owner, calledBy }: RunSummary,
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
    // The journal may not contain the latest status of a live run yet.
    ...(settledAt !== undefined && currentStatus === status && { settledAt }),
    ...(calledBy !== undefined && { calledBy }),
  }
}

/**
 * The fields of a `LiveEntry` that are known before the run is started or resumed. The object
 * `live` exists only afterwards.
 */
export type NewEntry = Omit<LiveEntry, "live" | "startedAt"> & { readonly startedAt?: number }

/** Returns the fields of a `LiveEntry` that come from the journal header of the run. */
export const entryOf = (header: JournalHeader): NewEntry => ({
  chart: header.chart,
  about: header.about ?? {},
  startedAt: startedAtOf(header),
  ...callerOf(header),
})
