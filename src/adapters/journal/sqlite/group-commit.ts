import { AgentStatechartsError } from "../../../errors.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"

interface Waiting {
  /**
   * Writes rows to the database. If this function throws an `AgentStatechartsError`, it must not
   * have written anything. Any other error counts as a failure of the database.
   */
  readonly write: () => void
  /**
   * Reverts changes that `write` has made in memory. Called after a rollback of the transaction.
   */
  readonly undo: () => void
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * A queue that commits all writes of one turn of the event loop in a single SQLite transaction,
 * because each transaction requires a disk sync. Writes are executed in order. The promise of a
 * write resolves when its data is on disk.
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

  /**
   * Commits all waiting writes immediately. Call this method before you read data that the writes
   * may change.
   */
  flush(): void {
    const group = this.#waiting
    if (group.length === 0) return
    this.#waiting = []
    try {
      for (const settle of this.#database.writeTransaction(() => group.map(outcomeOf))) settle()
    } catch (error) {
      // The transaction was rolled back, so every write of the group has failed.
      const failure = this.#failureOf(error)
      for (const { undo } of group.toReversed()) undo()
      for (const { failed } of group) failed(failure)
    }
  }
}

/**
 * Executes a write and returns a function that settles the promise of the write. If the write
 * throws an `AgentStatechartsError`, only this write fails. Any other error, such as a full disk,
 * is thrown, so that all writes of the group fail.
 */
function outcomeOf({ write, done, failed }: Waiting): () => void {
  try {
    write()
    return done
  } catch (error) {
    if (!(error instanceof AgentStatechartsError)) throw error
    return () => failed(error)
  }
}
