import { AgentStatechartsError, wordsOf } from "../errors.js"
import type { Journal, JournalHeader, JournalRecord, RunStanding } from "./journal.js"
import type { Ready } from "./when-ready.js"
import { recover, whenReady } from "./when-ready.js"

/** What a run asks of its journal. */
export interface RunJournal {
  create(header: JournalHeader): Ready<void>
  append(record: JournalRecord): Ready<void>
  /** Keeps how the run stands, unless that is known. */
  note(standing: RunStanding): Ready<void>
  /** The run rests between two invocations. A journal that forgets lets go of it until the next record comes. */
  rest(standing: RunStanding): Ready<void>
  /** Keeps how the run stands, then lets go of it. */
  leave(standing: RunStanding): Ready<void>
}

/** `held`: whether the run has been acquired already. What a journal throws of its own becomes a typed error. */
export function runJournal(journal: Journal, given: JournalHeader, held: boolean): RunJournal {
  const { runId } = given
  let header = given
  let isHeld = held
  let isForgotten = false
  let noted = ""
  const note = (standing: RunStanding): Ready<void> => {
    const told = JSON.stringify([standing.status, standing.pending.map(({ id }) => id)])
    if (!isHeld || told === noted) return
    noted = told
    return ask(() => journal.note?.(runId, standing))
  }
  const create = (): Ready<void> =>
    whenReady(ask(() => journal.create(header)), () => {
      isHeld = true
    })
  const leave = (standing: RunStanding): Ready<void> => {
    if (!isHeld) return
    const release = (): Ready<void> => {
      isHeld = false
      return ask(() => journal.release?.(runId))
    }
    // A journal that cannot note it any more may still let go of the run.
    return recover(
      () => whenReady(note(standing), release),
      (cause) =>
        whenReady(release(), () => {
          throw cause
        }),
    )
  }
  return {
    create(begun) {
      header = begun
      return create()
    },
    append(record) {
      noted = ""
      if (!isForgotten) return ask(() => journal.append(runId, record))
      isForgotten = false
      return whenReady(create(), () => ask(() => journal.append(runId, record)))
    },
    note,
    rest(standing) {
      if (journal.forgets !== true || !isHeld) return note(standing)
      isForgotten = true
      return leave(standing)
    },
    leave,
  }
}

const ask = <Value>(act: () => Ready<Value>): Ready<Value> =>
  recover(act, (cause) => {
    if (cause instanceof AgentStatechartsError) throw cause
    throw new AgentStatechartsError("journal_failed", `the journal failed: ${wordsOf(cause)}`, { cause })
  })
