import { AgentStatechartsError, wordsOf } from "../../errors.js"
import type { Journal, JournalHeader, JournalRecord, StoredRunStatus } from "../journal/journal.js"
import type { Ready } from "../async/when-ready.js"
import { recover, whenReady } from "../async/when-ready.js"

/** The journal of one run. Converts errors that the journal throws to `journal_failed`. */
export class RunJournal {
  readonly #journal: Journal
  #header: JournalHeader
  #isOwned: boolean
  #isForgotten = false
  #lastNote = ""

  /** `isOwned`: whether this process has acquired the run already. */
  constructor(journal: Journal, header: JournalHeader, isOwned: boolean) {
    this.#journal = journal
    this.#header = header
    this.#isOwned = isOwned
  }

  create(header: JournalHeader): Ready<void> {
    this.#header = header
    return this.#create()
  }

  append(record: JournalRecord): Ready<void> {
    this.#lastNote = ""
    if (!this.#isForgotten) return this.#append(record)
    this.#isForgotten = false
    return whenReady(this.#create(), () => this.#append(record))
  }

  /** Stores the status and the pending requests, if they have changed. */
  note(status: StoredRunStatus): Ready<void> {
    if (!this.#isOwned || this.#journal.note === undefined) return
    const note =
      status.pending.length === 0
        ? status.status
        : JSON.stringify([status.status, status.pending.map(({ id }) => id)])
    if (note === this.#lastNote) return
    this.#lastNote = note
    return withTypedErrors(() => this.#journal.note?.(this.#header.runId, status))
  }

  /** Stores the status between two invocations. A journal with `forgets` releases the run until the next record. */
  endInvocation(status: StoredRunStatus): Ready<void> {
    if (this.#journal.forgets !== true || !this.#isOwned) return this.note(status)
    this.#isForgotten = true
    return this.noteAndRelease(status)
  }

  /** Stores the status, then releases the run. */
  noteAndRelease(status: StoredRunStatus): Ready<void> {
    if (!this.#isOwned) return
    // Release the run even if the status cannot be stored.
    return recover(
      () => whenReady(this.note(status), () => this.#release()),
      (cause) =>
        whenReady(this.#release(), () => {
          throw cause
        }),
    )
  }

  #create(): Ready<void> {
    return whenReady(
      withTypedErrors(() => this.#journal.create(this.#header)),
      () => {
        this.#isOwned = true
      },
    )
  }

  #append(record: JournalRecord): Ready<void> {
    return withTypedErrors(() => this.#journal.append(this.#header.runId, record))
  }

  #release(): Ready<void> {
    this.#isOwned = false
    return withTypedErrors(() => this.#journal.release?.(this.#header.runId))
  }
}

const withTypedErrors = <Value>(act: () => Ready<Value>): Ready<Value> =>
  recover(act, (cause) => {
    if (cause instanceof AgentStatechartsError) throw cause
    throw new AgentStatechartsError("journal_failed", `the journal failed: ${wordsOf(cause)}`, {
      cause,
    })
  })
