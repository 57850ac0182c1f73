import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { CallFailure, Envelope } from "../../machines/contract/services.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import type { CallingRun } from "../../machines/workflow-agent/workflow-call.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { RunPolicySets } from "../policies/run-policy-sets.js"
import type { MessagePassing } from "./message-passing.js"
import type { KeptKeys } from "../driver/kept-keys.js"
import type { StoredSession } from "./session-store.js"

/** The initial data of a run. The header and the records of a run are sufficient to replay it. */
export interface JournalHeader {
  readonly format: 1
  readonly runId: string
  readonly chart: AgentChart
  readonly input: {
    readonly prompt: UserContent | null
    readonly state: Readonly<Record<string, unknown>>
    readonly artifacts?: Artifacts
    /**
     * Values that replace entries in the `context` of a graph. Missing if the chart is not a graph.
     */
    readonly context?: Readonly<Record<string, unknown>>
    /**
     * Content of the session when the run loaded it. In a run with a session, `state` contains only
     * additional entries, which replace the entries of the session with the same keys.
     */
    readonly session?: StoredSession
  }
  /** Start time in milliseconds since the epoch. */
  readonly at: number
  /**
   * The run from which this run was forked or adopted (docs/time-travel.md). `at` is the number of
   * records that were copied from it.
   */
  readonly forkedFrom?: {
    readonly runId: string
    readonly at: number
    /** Fingerprint of the original run's chart. Missing if both runs have the same chart. */
    readonly chart?: string
    /**
     * Creation time of this run in milliseconds since the epoch. The field `at` of the header is
     * the start time of the original run.
     */
    readonly time?: number
  }
  /**
   * For an adopted run (which continues another run with an edited chart), the idempotency keys of
   * the calls in flight. Maps the key of a call in this run to its key in the other run.
   */
  readonly keptKeys?: KeptKeys
  /**
   * Changes of the run's chart, oldest first (docs/semantics.md#migration). Missing if the chart
   * was never changed.
   */
  readonly migrations?: readonly ChartMigration[]
  /** The policies that the run must follow. Missing if it has no policies. */
  readonly policies?: RunPolicySets
  /**
   * The run whose WorkflowAgent has started this run (docs/calling-workflows.md). Missing if no
   * other run has started it.
   */
  readonly calledBy?: CallingRun
  /** JSON data that the program stores with the run. A program that resumes the run can read it. */
  readonly about?: Readonly<Record<string, unknown>>
}

/** A migration, which has replaced the chart of a run. The id of the run did not change. */
export interface ChartMigration {
  /** Fingerprint of the chart before the migration. */
  readonly chart: string
  /** Number of records that the run had processed before the migration. */
  readonly records: number
  /**
   * Number of records at the start that the old and the new chart process in the same way. Later
   * records were stored again in the order of the new chart. Missing if both charts process all
   * records in the same way.
   */
  readonly sameUntil?: number
  /** Time of the migration in milliseconds since the epoch. */
  readonly at: number
}

/**
 * One external input of a run: the result of a call, or an external event such as an answer. All
 * other data of the run is computed from its records.
 */
export type JournalRecord = ResultRecord | OutsideRecord

/**
 * An external event, such as an answer, for the agent with this `path`. `n` is -1, because the
 * event is not the result of a call. `at` is in epoch milliseconds.
 */
export type OutsideRecord = readonly [n: -1, path: string, event: MachineEvent, at: number]

/** The result of call number `n`, starting at 0. `value` is the error if `ok` is false. */
export type ResultRecord = readonly [n: number, ok: boolean, value: unknown, at: number]

export const isOutside = (record: JournalRecord): record is OutsideRecord => record[0] === -1

export const recordOf = (n: number, result: Envelope): JournalRecord =>
  result.ok ? [n, true, result.value, result.at] : [n, false, result.error, result.at]

/** Returns the result that a journal record contains. */
export function resultIn(record: ResultRecord): Envelope {
  const [, ok, value, time] = record
  // The cast is safe: if a call has failed, `recordOf` stores its `CallFailure` as the value.
  return ok ? { ok, value, at: time } : { ok, error: value as CallFailure, at: time }
}

export interface StoredRun {
  readonly header: JournalHeader
  readonly records: readonly JournalRecord[]
}

/**
 * The last status of a run that a journal has stored. It is only used in lists of runs, because a
 * resumed run computes its status from its records.
 */
export interface StoredRunStatus {
  readonly status: RunStatus
  readonly pending: readonly PendingRequest[]
  readonly at: number
  /**
   * Time of the next deadline of a waiting run, in milliseconds since the epoch. Missing if the run
   * has no deadline.
   */
  readonly wakeAt?: number
}

/** An entry in a list of runs. A journal creates it without replaying the run. */
export interface RunSummary {
  readonly runId: string
  /** Id of the chart that the run executes. */
  readonly chart: string
  readonly startedAt: number
  /** Status of the run. An interrupted run has the status `running` and no owner. */
  readonly status: RunStatus
  readonly pending: readonly PendingRequest[]
  /**
   * Time at which the run stopped executing, in milliseconds since the epoch. Missing for a run
   * with status `running`, or if the journal does not store the time.
   */
  readonly settledAt?: number
  /**
   * Time of the next deadline of a waiting run, in milliseconds since the epoch. Missing if the run
   * has no deadline, or if the journal does not store the time.
   */
  readonly wakeAt?: number
  /** Description of the process that owns the run. null if the run has no owner. */
  readonly owner: string | null
  /**
   * The run that called this run, and the `path` of the calling agent. Missing if no run called it.
   */
  readonly calledBy?: Pick<CallingRun, "runId" | "path">
}

/** Selects runs in a list of runs. If several fields are set, all of them must match. */
export interface RunFilter {
  /** Selects the runs with this status. */
  readonly status?: RunStatus
  /** Selects the runs that can be resumed without a message at this time ({@link isResumable}). */
  readonly resumableAt?: number
}

/**
 * Returns true if a run could continue without a message, but no process executes it. The run was
 * interrupted, or a deadline has passed while it was waiting. `now` is in milliseconds since the
 * epoch.
 */
export const isResumable = ({ status, owner, wakeAt }: RunSummary, now: number): boolean =>
  owner === null && (status === "running" || (wakeAt !== undefined && wakeAt <= now))

/**
 * Returns the fields `settledAt` and `wakeAt` of a list entry from the stored status. Returns an
 * empty object if the run is executing.
 */
export const timesOf = (status: StoredRunStatus | null): Pick<RunSummary, "settledAt" | "wakeAt"> =>
  status === null || status.status === "running"
    ? {}
    : {
        settledAt: status.at,
        ...(status.wakeAt !== undefined && { wakeAt: status.wakeAt }),
      }

/** Returns the start time for a list entry. For a fork, this is the time when it was created. */
export const startedAtOf = ({ at, forkedFrom }: JournalHeader): number => forkedFrom?.time ?? at

/**
 * Returns the field `calledBy` of a list entry, which links a child run to its caller. Returns an
 * empty object if no run called this run.
 */
export const callerOf = ({
  calledBy,
}: {
  readonly calledBy?: CallingRun | undefined
}): Pick<RunSummary, "calledBy"> =>
  calledBy === undefined ? {} : { calledBy: { runId: calledBy.runId, path: calledBy.path } }

/**
 * Stores runs and their records. A record is stored when `append` has returned or its promise has
 * resolved. Only then does the run process the record. Records of one run are stored in the order
 * in which `append` is called.
 *
 * A run has at most one owner at a time (docs/semantics.md#durability). `create` and `acquire` make
 * the caller the owner, and `release` ends the ownership. `note` stores the status of a run. If
 * only one program at a time can open the journal, `acquire`, `release`, `note` and `list` are
 * optional.
 *
 * Every method may return a value or a promise.
 */
export interface Journal {
  /**
   * Stores a new run and makes the caller its owner. Fails with `run_exists` if a run with the same
   * id is stored.
   */
  create(header: JournalHeader): void | Promise<void>
  /** Appends a record to a run that the caller owns. */
  append(runId: string, record: JournalRecord): void | Promise<void>
  /**
   * Returns a run, or null if it does not exist. A run can be loaded while another process owns it.
   */
  load(runId: string): StoredRun | null | Promise<StoredRun | null>
  /**
   * Makes the caller the owner of a run. Fails with `run_owned` if the run already has an owner.
   * Does nothing if the run does not exist.
   */
  acquire?(runId: string): void | Promise<void>
  /**
   * Waits until all appended records are stored, and then ends the ownership of the caller. Does
   * nothing if the caller does not own the run.
   */
  release?(runId: string): void | Promise<void>
  /**
   * Stores the status of an owned run for lists of runs. The status may be lost if the process is
   * killed.
   */
  note?(runId: string, status: StoredRunStatus): void | Promise<void>
  /**
   * Returns an entry for every stored run. A journal may use `filter` to select runs faster. Other
   * journals ignore `filter`, so the caller must apply it to the result.
   */
  list?(filter?: RunFilter): readonly RunSummary[] | Promise<readonly RunSummary[]>
  /**
   * Stores a run with all of its records and its status in one step, and makes the caller its
   * owner. If the caller owns a run with the same id, replaces this run. Fails with `run_exists` if
   * such a run exists and the caller does not own it. After a failure, the journal contains the
   * earlier run.
   */
  store?(run: StoredRun, status: StoredRunStatus): void | Promise<void>
  /**
   * Deletes a run with its records. Fails with `run_owned` if the run has an owner, even if the
   * owner uses this journal. Does nothing if the run does not exist.
   */
  delete?(runId: string): void | Promise<void>
  /**
   * True if `release` deletes runs that have ended or are between two invocations. If such a run
   * continues, `create` receives its header object again and must restore its records.
   */
  readonly forgets?: boolean
  /**
   * Changes data before it is stored, for example to mask personal data. A run processes the
   * changed data, so that a replay computes the same run. {@link redactedJournal} sets this field.
   */
  readonly redaction?: JournalRedaction
  /**
   * Calls `onChange` soon after another process has stored a record or the status of a run. Returns
   * a function that ends the watch. Notifications may be lost, for example if a connection is lost.
   */
  watch?(runId: string, onChange: () => void): (() => void) | Promise<() => void>
  /** Passes messages, such as answers, to runs that other processes execute. */
  readonly messages?: MessagePassing
}

/** Functions that change data before a journal stores it. They must be synchronous. */
export interface JournalRedaction {
  /**
   * Returns the record to store. It may change the content of a result or of an event. It must not
   * change the call number, the success flag (`ok`), the path or the time.
   */
  readonly record?: (record: JournalRecord, runId: string) => JournalRecord
  /**
   * Returns the input to store for a new run. It consists of prompt, state, artifacts and context.
   */
  readonly input?: (input: JournalHeader["input"], runId: string) => JournalHeader["input"]
}

/**
 * A journal that implements all methods that are optional in `Journal`. Several programs can use it
 * at the same time.
 */
export type CompleteJournal = Required<
  Omit<Journal, "forgets" | "redaction" | "watch" | "messages">
> &
  Pick<Journal, "redaction" | "watch" | "messages">
