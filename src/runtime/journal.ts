import type { AgentChart } from "../machines/agent-chart.js"
import type { Artifacts } from "../machines/artifacts.js"
import type { CallFailure, Envelope } from "../machines/contract.js"
import type { MachineEvent } from "../machines/step.js"
import type { UserContent } from "../machines/user-content.js"
import type { StoredSession } from "./session-store.js"

/** The first record of a run: all that it takes to run it again. */
export interface JournalHeader {
  readonly format: 1
  readonly runId: string
  readonly chart: AgentChart
  readonly input: {
    readonly prompt: UserContent | null
    readonly state: Readonly<Record<string, unknown>>
    readonly artifacts?: Artifacts
    /** The session as the run found it; `state` is then what is written over it. */
    readonly session?: StoredSession
  }
  /** When the run was started, in milliseconds since the epoch. */
  readonly at: number
  /** The run whose first records this one began with, and how many (docs/time-travel.md). */
  readonly forkedFrom?: { readonly runId: string; readonly at: number; /** Fingerprint of its chart, where that was another one. */ readonly chart?: string }
}

/**
 * What happened outside of the core, in the order in which it was fed to it: the result of the leaf call that was started as
 * the n-th, or with n = -1 an event from outside and the path that it was for. Nothing else is recorded, since everything
 * else follows from it.
 */
export type JournalRecord = ResultRecord | OutsideRecord

/** What came from outside. */
export type OutsideRecord = readonly [n: -1, path: string, event: MachineEvent, at: number]

/** What a call came to. */
export type ResultRecord = readonly [n: number, ok: boolean, value: unknown, at: number]

export const isOutside = (record: JournalRecord): record is OutsideRecord => record[0] === -1

export const recordOf = (n: number, result: Envelope): JournalRecord =>
  result.ok ? [n, true, result.value, result.at] : [n, false, result.error, result.at]

/** The result of a call as it was given. */
export function resultIn(record: ResultRecord): Envelope {
  const [, ok, value, at] = record
  // What is recorded as a failure was one.
  return ok ? { ok, value, at } : { ok, error: value as CallFailure, at }
}

export interface StoredRun {
  readonly header: JournalHeader
  readonly records: readonly JournalRecord[]
}

/**
 * Keeps what happened in runs. A record counts as stored when `append` has returned or its promise has resolved; only then
 * is the event fed to the run. Records of one run are stored in the order of the calls.
 */
export interface Journal {
  /** Rejects or throws `run_exists` for a run that is there already. */
  create(header: JournalHeader): void | Promise<void>
  append(runId: string, record: JournalRecord): void | Promise<void>
  /** null for a run that is not there. */
  load(runId: string): StoredRun | null | Promise<StoredRun | null>
}
