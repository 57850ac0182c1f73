import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { CallFailure, Envelope } from "../../machines/contract/services.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { KeptKeys } from "../driver/kept-keys.js"
import type { StoredSession } from "./session-store.js"

/** The data with which a run started. With the records, it is enough to replay the run. */
export interface JournalHeader {
  readonly format: 1
  readonly runId: string
  readonly chart: AgentChart
  readonly input: {
    readonly prompt: UserContent | null
    readonly state: Readonly<Record<string, unknown>>
    readonly artifacts?: Artifacts
    /**
     * The session when the run loaded it. `state` then contains only the entries that replace it.
     */
    readonly session?: StoredSession
  }
  /** Start time in milliseconds since the epoch. */
  readonly at: number
  /**
   * The origin of a forked or adopted run (docs/time-travel.md). `at` is the number of records that
   * it took over.
   */
  readonly forkedFrom?: {
    readonly runId: string
    readonly at: number
    /** Fingerprint of the chart of the other run, if it was a different chart. */
    readonly chart?: string
  }
  /**
   * For an adopted run: the idempotency keys that calls had in the other run, by their keys in this
   * run.
   */
  readonly keptKeys?: KeptKeys
  /** JSON that the program stored with the run, for the program that resumes it. */
  readonly about?: Readonly<Record<string, unknown>>
}

/**
 * One external input of a run: the result of a call, or an event from outside. Everything else is
 * computed from the records.
 */
export type JournalRecord = ResultRecord | OutsideRecord

/** An event from outside, for the agent with this path. `at` is in milliseconds since the epoch. */
export type OutsideRecord = readonly [n: -1, path: string, event: MachineEvent, at: number]

/** The result or the error of the n-th call that the run started, counted from 0. */
export type ResultRecord = readonly [n: number, ok: boolean, value: unknown, at: number]

export const isOutside = (record: JournalRecord): record is OutsideRecord => record[0] === -1

export const recordOf = (n: number, result: Envelope): JournalRecord =>
  result.ok ? [n, true, result.value, result.at] : [n, false, result.error, result.at]

/** Returns the result of the call in a record. */
export function resultIn(record: ResultRecord): Envelope {
  const [, ok, value, at] = record
  // `recordOf` stores a `CallFailure` in the value of a failed call.
  return ok ? { ok, value, at } : { ok, error: value as CallFailure, at }
}

export interface StoredRun {
  readonly header: JournalHeader
  readonly records: readonly JournalRecord[]
}

/**
 * The status of a run when it last waited or ended. Only lists of runs use it. To resume a run,
 * its records are processed.
 */
export interface StoredRunStatus {
  readonly status: RunStatus
  readonly pending: readonly PendingRequest[]
  readonly at: number
}

/** A run in a list. The journal knows these fields without a replay of the records. */
export interface RunSummary {
  readonly runId: string
  /** Id of the chart. */
  readonly chart: string
  readonly startedAt: number
  /** Also `running` if the run was interrupted. Such a run has no owner. */
  readonly status: RunStatus
  readonly pending: readonly PendingRequest[]
  /** Describes the process that owns the run; null if the run has no owner. */
  readonly owner: string | null
}

/**
 * Stores the records of runs. A record is stored when `append` has returned or its promise has
 * resolved. The run processes the record only after that. Records of one run are stored in the
 * order of the calls.
 *
 * A run has one owner at a time (docs/semantics.md#durability). `create` and `acquire` make the
 * caller the owner, and `release` ends the ownership. `acquire`, `release`, `note` and `list` are
 * optional if only one program at a time can open the journal.
 *
 * All methods may return a value or a promise.
 */
export interface Journal {
  /**
   * Stores a new run, and makes the caller its owner. Fails with `run_exists` if the run id is in
   * use.
   */
  create(header: JournalHeader): void | Promise<void>
  /** Appends a record to a run that the caller owns. */
  append(runId: string, record: JournalRecord): void | Promise<void>
  /** Returns a run, or null if it does not exist. Works for runs that another process owns. */
  load(runId: string): StoredRun | null | Promise<StoredRun | null>
  /**
   * Makes the caller the owner of a run. Fails with `run_owned` if the run has an owner. Ignores
   * unknown runs.
   */
  acquire?(runId: string): void | Promise<void>
  /**
   * Ends the ownership after all appended records are stored. Ignores runs that the caller does not
   * own.
   */
  release?(runId: string): void | Promise<void>
  /**
   * Stores the status of an owned run for lists. The status may be lost if the process is killed.
   */
  note?(runId: string, status: StoredRunStatus): void | Promise<void>
  /** Returns all runs. */
  list?(): readonly RunSummary[] | Promise<readonly RunSummary[]>
  /**
   * Whether `release` removes a run that has ended or is between two invocations. If such a run
   * continues, `create` is called with the same header object, and the journal restores the
   * records.
   */
  readonly forgets?: boolean
}

/** A journal with all optional methods, which several programs can share. */
export type CompleteJournal = Required<Omit<Journal, "forgets">>
