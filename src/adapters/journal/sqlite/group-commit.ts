import { AgentStatechartsError } from "../../../errors.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"

interface Waiting {
  /** Writes all that it has to; or writes nothing and throws an `AgentStatechartsError`. What else it throws is taken for a failure of the database. */
  readonly write: () => void
  /** Forgets what `write` has come to, if it was carried out: the database has. */
  readonly undo: () => void
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Commits what is written in one turn of the event loop at once and in the order in which it came: the disk is asked once for all runs
 * that have come to something. What a caller was promised resolves when the disk has it.
 */
export class GroupCommit {
  readonly #database: OpenDatabase<string>
  readonly #failureOf: (error: unknown) => AgentStatechartsError
  #waiting: Waiting[] = []

  constructor(
    database: OpenDatabase<string>,
    failureOf: (error: unknown) => AgentStatechartsError,
  ) {
    this.#database = database
    this.#failureOf = failureOf
  }

  add(write: () => void, undo: () => void = () => {}): Promise<void> {
    return new Promise((done, failed) => {
      if (this.#waiting.length === 0) setImmediate(() => this.flush())
      this.#waiting.push({ write, undo, done, failed })
    })
  }

  /** Commits what waits now: before anything is read that it may change. */
  flush(): void {
    const group = this.#waiting
    if (group.length === 0) return
    this.#waiting = []
    try {
      for (const tell of this.#database.atOnce(() => group.map(outcomeOf))) tell()
    } catch (error) {
      // Nothing of the group is stored.
      const failure = this.#failureOf(error)
      for (const { undo } of group.toReversed()) undo()
      for (const { failed } of group) failed(failure)
    }
  }
}

/** A refusal is about one of them; what else goes wrong, such as a disk that is full, is about all. */
function outcomeOf({ write, done, failed }: Waiting): () => void {
  try {
    write()
    return done
  } catch (error) {
    if (!(error instanceof AgentStatechartsError)) throw error
    return () => failed(error)
  }
}
