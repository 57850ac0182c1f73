import { AgentStatechartsError, wordsOf } from "../../errors.js"
import type { Journal, JournalHeader, JournalRecord, StoredRunStatus } from "../journal/journal.js"
import type { Ready } from "../async/when-ready.js"
import { recover, whenReady } from "../async/when-ready.js"

/** What a run asks of its journal. What a journal throws of its own becomes a typed error. */
export class RunJournal {
  readonly #journal: Journal
  #header: JournalHeader
  #isHeld: boolean
  #isForgotten = false
  #noted = ""

  /** `isHeld`: whether the run has been acquired already. */
  constructor(journal: Journal, header: JournalHeader, isHeld: boolean) {
    this.#journal = journal
    this.#header = header
    this.#isHeld = isHeld
  }

  create(header: JournalHeader): Ready<void> {
    this.#header = header
    return this.#create()
  }

  append(record: JournalRecord): Ready<void> {
    this.#noted = ""
    if (!this.#isForgotten) return this.#append(record)
    this.#isForgotten = false
    return whenReady(this.#create(), () => this.#append(record))
  }

  /** Keeps how the run stands, unless that is known. */
  note(standing: StoredRunStatus): Ready<void> {
    if (!this.#isHeld || this.#journal.note === undefined) return
    const told =
      standing.pending.length === 0
        ? standing.status
        : JSON.stringify([standing.status, standing.pending.map(({ id }) => id)])
    if (told === this.#noted) return
    this.#noted = told
    return ask(() => this.#journal.note?.(this.#header.runId, standing))
  }

  /** The run rests between two invocations. A journal that forgets lets go of it until the next record comes. */
  rest(standing: StoredRunStatus): Ready<void> {
    if (this.#journal.forgets !== true || !this.#isHeld) return this.note(standing)
    this.#isForgotten = true
    return this.leave(standing)
  }

  /** Keeps how the run stands, then lets go of it. */
  leave(standing: StoredRunStatus): Ready<void> {
    if (!this.#isHeld) return
    // A journal that cannot note it any more may still let go of the run.
    return recover(
      () => whenReady(this.note(standing), () => this.#release()),
      (cause) =>
        whenReady(this.#release(), () => {
          throw cause
        }),
    )
  }

  #create(): Ready<void> {
    return whenReady(
      ask(() => this.#journal.create(this.#header)),
      () => {
        this.#isHeld = true
      },
    )
  }

  #append(record: JournalRecord): Ready<void> {
    return ask(() => this.#journal.append(this.#header.runId, record))
  }

  #release(): Ready<void> {
    this.#isHeld = false
    return ask(() => this.#journal.release?.(this.#header.runId))
  }
}

const ask = <Value>(act: () => Ready<Value>): Ready<Value> =>
  recover(act, (cause) => {
    if (cause instanceof AgentStatechartsError) throw cause
    throw new AgentStatechartsError("journal_failed", `the journal failed: ${wordsOf(cause)}`, {
      cause,
    })
  })
