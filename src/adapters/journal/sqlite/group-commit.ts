import { AgentStatechartsError } from "../../../errors.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"

interface Waiting {
  /**
   * Writes all its rows, or nothing and throws an `AgentStatechartsError`. Other errors count as
   * database failures.
   */
  readonly write: () => void
  /** Reverts the in-memory effects of `write` after its transaction was rolled back. */
  readonly undo: () => void
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Commits all writes of one event-loop turn in one transaction, in order, with one disk sync for
 * all runs. The promise of a write resolves when the disk has it.
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

  /** Commits the pending writes, before reading data they may change. */
  flush(): void {
    const group = this.#waiting
    if (group.length === 0) return
    this.#waiting = []
    try {
      for (const tell of this.#database.atOnce(() => group.map(outcomeOf))) tell()
    } catch (error) {
      // Nothing of the group was stored.
      const failure = this.#failureOf(error)
      for (const { undo } of group.toReversed()) undo()
      for (const { failed } of group) failed(failure)
    }
  }
}

/**
 * Returns the outcome of a write. A rejection concerns one write; other failures, such as a full
 * disk, concern all.
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
