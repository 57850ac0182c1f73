import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { CallFailure, Envelope } from "../../machines/contract/services.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { KeptKeys } from "../driver/kept-keys.js"
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
  readonly forkedFrom?: {
    readonly runId: string
    readonly at: number
    /** Fingerprint of its chart, where that was another one. */ readonly chart?: string
  }
  /** Of an adopted run: the idempotency keys of the calls that were in flight in the other run, by the keys that these calls have here. */
  readonly keptKeys?: KeptKeys
  /** What its starter wanted to be kept, for whoever takes the run up. */
  readonly about?: Readonly<Record<string, unknown>>
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

/** How a run stood when it last rested or ended: for lists, never for going on. What follows from the records is what counts. */
export interface StoredRunStatus {
  readonly status: RunStatus
  readonly pending: readonly PendingRequest[]
  readonly at: number
}

/** A run as lists show it, as far as its journal knows without feeding it again. */
export interface RunSummary {
  readonly runId: string
  /** Id of its chart. */
  readonly chart: string
  readonly startedAt: number
  /** `running` also for a run that was interrupted: then nobody owns it. */
  readonly status: RunStatus
  readonly pending: readonly PendingRequest[]
  /** Who has the run now, in words; null for nobody. */
  readonly owner: string | null
}

/**
 * Keeps what happened in runs. A record counts as stored when `append` has returned or its promise has resolved; only then
 * is the event fed to the run. Records of one run are stored in the order of the calls.
 *
 * A run has one owner at a time (docs/semantics.md#durability). `create` and `acquire` make the caller the owner, `release` ends the
 * ownership. `acquire`, `release`, `note` and `list` are optional in a journal that only one program can open at a time.
 */
export interface Journal {
  /** Rejects or throws `run_exists` for a run that is there already. The run is then owned through this journal. */
  create(header: JournalHeader): void | Promise<void>
  append(runId: string, record: JournalRecord): void | Promise<void>
  /** null for a run that is not there. Reads only, so that others may look at a run that is owned. */
  load(runId: string): StoredRun | null | Promise<StoredRun | null>
  /** Takes the run. Rejects or throws `run_owned` while somebody else has it, or this journal has it already. A run that is not there is nobody's. */
  acquire?(runId: string): void | Promise<void>
  /** Lets go of the run when all that was given to `append` is dealt with. Does nothing for a run that is not owned through this journal. */
  release?(runId: string): void | Promise<void>
  /** Keeps how an owned run stands. It may be lost when the process dies. */
  note?(runId: string, standing: StoredRunStatus): void | Promise<void>
  list?(): readonly RunSummary[] | Promise<readonly RunSummary[]>
  /**
   * For a journal that forgets a run when it is released after its end, or while it rests between two invocations. `create` with the same
   * header, and not with its equal, brings a run back that goes on after its rest.
   */
  readonly forgets?: boolean
}

/** A journal with everything that one may leave out: several programs may share it. */
export type CompleteJournal = Required<Omit<Journal, "forgets">>
