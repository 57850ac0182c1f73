import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import type { Journal, JournalHeader, JournalRecord, StoredRunStatus } from "../journal/journal.js"
import { redactedHeader, redactedRecord } from "../journal/redacted-journal.js"
import type { MaybePromise, Steps } from "../async/maybe-promise.js"
import { isPromise, recover, runSteps, wait } from "../async/maybe-promise.js"

/**
 * Provides one run with access to its journal. Errors of the journal are converted to
 * `journal_failed`.
 */
export class RunJournal {
  readonly #journal: Journal
  #header: JournalHeader
  /** True while this process owns the run in the journal. */
  #isOwned: boolean
  /**
   * Promise that resolves when the journal has created the run. null if the run is not being
   * created.
   */
  #creating: Promise<void> | null = null
  /**
   * True if the journal has removed the run between two invocations (see `Journal.forgets`). The
   * next record creates the run again.
   */
  #isForgotten = false
  /** The last stored status as a text. If the status has not changed, it is not stored again. */
  #lastStatus = ""

  constructor(journal: Journal, header: JournalHeader, isOwned: boolean) {
    this.#journal = journal
    this.#header = header
    this.#isOwned = isOwned
  }

  /**
   * Applies the redaction of the journal (for example, masking of personal data) to a record.
   * Returns the changed record, which the run then processes. Returns the error if the redaction
   * fails.
   */
  redacted(record: JournalRecord): JournalRecord | AgentStatechartsError {
    const { redaction } = this.#journal
    return redaction?.record === undefined
      ? record
      : orError(() => redactedRecord(redaction, record, this.#header.runId))
  }

  /**
   * Applies the redaction of the journal (for example, masking of personal data) to the header of a
   * new run. Returns the changed header, with which the run then starts. Returns the error if the
   * redaction fails.
   */
  redactedHeader(header: JournalHeader): JournalHeader | AgentStatechartsError {
    const { redaction } = this.#journal
    return redaction?.input === undefined
      ? header
      : orError(() => redactedHeader(redaction, header))
  }

  create(header: JournalHeader): MaybePromise<void> {
    this.#header = header
    const created = runSteps(() => this.#create())
    if (isPromise(created)) this.#creating = created
    return created
  }

  /**
   * Appends a record to the journal. If the journal has deleted the run between two invocations,
   * first creates the run in the journal again.
   */
  append(record: JournalRecord): MaybePromise<void> {
    this.#lastStatus = ""
    if (!this.#isForgotten) return this.#append(record)
    this.#isForgotten = false
    return runSteps(() => this.#createAndAppend(record))
  }

  /**
   * Stores the status and the pending requests of the run, if they have changed since the last
   * call.
   */
  storeStatus(status: StoredRunStatus): MaybePromise<void> {
    if (!this.#isOwned || this.#journal.note === undefined) return
    const note =
      status.pending.length === 0 && status.wakeAt === undefined
        ? status.status
        : JSON.stringify([status.status, status.pending.map(({ id }) => id), status.wakeAt])
    if (note === this.#lastStatus) return
    this.#lastStatus = note
    return withTypedErrors(() => this.#journal.note?.(this.#header.runId, status))
  }

  /**
   * Stores the status of the run at the end of an invocation. If the journal deletes runs between
   * two invocations (`Journal.forgets`), also ends the ownership of the run. The next record
   * creates the run again.
   */
  endInvocation(status: StoredRunStatus): MaybePromise<void> {
    if (this.#journal.forgets !== true || !this.#isOwned) return this.storeStatus(status)
    this.#isForgotten = true
    return this.noteAndRelease(status)
  }

  /**
   * Stores the status of the run, and then releases the run. Releases it even if the status cannot
   * be stored.
   */
  noteAndRelease(status: StoredRunStatus): MaybePromise<void> {
    if (!this.#isOwned && this.#creating === null) return
    return runSteps(() => this.#noteAndRelease(status))
  }

  *#create(): Steps<void> {
    try {
      yield* wait(withTypedErrors(() => this.#journal.create(this.#header)))
      this.#isOwned = true
    } finally {
      this.#creating = null
    }
  }

  *#createAndAppend(record: JournalRecord): Steps<void> {
    yield* this.#create()
    yield* wait(this.#append(record))
  }

  *#noteAndRelease(status: StoredRunStatus): Steps<void> {
    // If a run makes no call, it can end before the journal has created it.
    if (this.#creating !== null) yield* wait(this.#creating)
    try {
      yield* wait(this.storeStatus(status))
    } finally {
      this.#isOwned = false
      yield* wait(withTypedErrors(() => this.#journal.release?.(this.#header.runId)))
    }
  }

  #append(record: JournalRecord): MaybePromise<void> {
    return withTypedErrors(() => this.#journal.append(this.#header.runId, record))
  }
}

/**
 * Returns a function that stores the status of a run and releases the run. The function is created
 * outside the class `RunExecution`, so that it does not keep the run in memory.
 */
export const releaseOf = (journal: RunJournal, status: StoredRunStatus) => (): MaybePromise<void> =>
  journal.noteAndRelease(status)

const withTypedErrors = <Value>(act: () => MaybePromise<Value>): MaybePromise<Value> =>
  recover(act, throwTyped)

function throwTyped(cause: unknown): never {
  if (cause instanceof AgentStatechartsError) throw cause
  throw new AgentStatechartsError("journal_failed", `the journal failed: ${thrownMessage(cause)}`, {
    cause,
  })
}

function orError<Value>(act: () => Value): Value | AgentStatechartsError {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof AgentStatechartsError) return cause
    throw cause
  }
}
