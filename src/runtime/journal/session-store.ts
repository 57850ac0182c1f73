import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { History } from "../../machines/contract/history.js"
import type { SessionContents } from "../../machines/containers/session-contents.js"

/** Identifies a session: one conversation of one user with one app. */
export interface SessionKey {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
}

/** A session as the store returns it. The object is a copy that later changes do not affect. */
export interface StoredSession extends SessionKey, SessionContents {
  /** How many times the session was saved. */
  readonly version: number
  /** The run that last saved the session; null if no run has saved it. */
  readonly savedBy: SavedBy | null
  /** Time of the creation or of the last save, in milliseconds since the epoch. */
  readonly updatedAt: number
}

/** The run that saved a session, and the number of records in its journal at that time. */
export interface SavedBy {
  readonly runId: string
  readonly records: number
}

/** A session in a list. */
export type SessionSummary = Omit<StoredSession, keyof SessionContents>

/** The changes of a run since it loaded or last saved its session. */
export interface SessionChanges extends SavedBy {
  /** The version of the session that the changes apply to. */
  readonly version: number
  readonly set: Readonly<Record<string, unknown>>
  readonly removed: readonly string[]
  /** The new history entries. They follow the first `from` entries. */
  readonly said: { readonly from: number; readonly entries: History }
  readonly artifacts: Artifacts
  readonly activeAgent: string | null
  readonly at: number
}

/**
 * Stores sessions between runs (docs/semantics.md#sessions). All sessions of a user share the
 * keys that start with `user:`, and all sessions of an app share the keys that start with `app:`.
 * Keys that start with `temp:` are never stored. Methods may return a value or a promise. If a
 * method throws, the run that called it fails.
 */
export interface SessionStore {
  /**
   * Creates a session. Writes shared keys in `state` for all sessions. Fails with `session_exists`.
   */
  create(
    key: SessionKey,
    state: Readonly<Record<string, unknown>>,
    at: number,
  ): StoredSession | Promise<StoredSession>
  /** Returns a session with its own and the shared keys, or null if it does not exist. */
  load(key: SessionKey): StoredSession | null | Promise<StoredSession | null>
  /**
   * Stores the changes of a run, all of them or none. A resumed run may repeat a save. If the
   * number of records is the same, nothing is stored. If it is higher, the changes since the first
   * load are stored. Fails with `session_unknown` if the session does not exist, and with
   * `session_conflict` if another run has saved the session since `version`.
   */
  save(key: SessionKey, changes: SessionChanges): void | Promise<void>
  /** Returns the sessions of one user, or of all users of an app, last updated first. */
  list(owner: {
    readonly appName: string
    readonly userId?: string
  }): readonly SessionSummary[] | Promise<readonly SessionSummary[]>
  /**
   * Deletes a session with its history and artifacts. Keeps shared keys. Ignores unknown sessions.
   */
  delete(key: SessionKey): void | Promise<void>
}
