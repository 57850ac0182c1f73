import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { History } from "../../machines/contract/history.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import type { SessionContents } from "../../machines/containers/session-contents.js"

/** Key of a session. A session is one conversation of one user in one app. */
export interface SessionKey {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
}

/**
 * A session, as a session store returns it. The object is a copy, so later changes of the session
 * do not affect it.
 */
export interface StoredSession extends SessionKey, SessionContents {
  /** Number of times that the session was saved. */
  readonly version: number
  /** The run that has last saved the session. null if no run has saved it. */
  readonly savedBy: SavedBy | null
  /** Time at which the session was created or last saved, in milliseconds since the epoch. */
  readonly updatedAt: number
}

/**
 * A run that has saved a session. `records` is the number of journal records of the run at that
 * time.
 */
export interface SavedBy {
  readonly runId: string
  readonly records: number
}

/** An entry in a list of sessions. It contains no state, history or artifacts. */
export type SessionSummary = Omit<StoredSession, keyof SessionContents>

/** Changes that a run has made to its session since it has loaded or last saved the session. */
export interface SessionChanges extends SavedBy {
  /** Version of the stored session to which the changes apply. */
  readonly version: number
  readonly set: Readonly<Record<string, unknown>>
  readonly removed: readonly string[]
  /**
   * New history entries of the session. The store keeps the first `from` entries of the stored
   * history and replaces all later entries by `entries`.
   */
  readonly said: { readonly from: number; readonly entries: History }
  /**
   * Prompt and final text of a run, for the long-term memory. Only set for runs without a history
   * (graph-compose dialect). Session stores ignore this field.
   */
  readonly exchange?: { readonly prompt: UserContent | null; readonly text: string | null }
  readonly artifacts: Artifacts
  readonly activeAgent: string | null
  readonly at: number
}

/**
 * Stores sessions (docs/semantics.md#sessions). All sessions of a user share the state keys that
 * start with `user:`. All sessions of an app share the keys that start with `app:`. Keys that start
 * with `temp:` are never stored. Every method may return a value or a promise. If a method throws,
 * the run that called it fails.
 */
export interface SessionStore {
  /**
   * Creates a session with an initial state. Shared keys in `state` (`user:`, `app:`) change the
   * state of all sessions that share them. Fails with `session_exists` if the session exists.
   */
  create(
    key: SessionKey,
    state: Readonly<Record<string, unknown>>,
    at: number,
  ): StoredSession | Promise<StoredSession>
  /**
   * Returns a session with its own and its shared state keys. Returns null if the session does not
   * exist.
   */
  load(key: SessionKey): StoredSession | null | Promise<StoredSession | null>
  /**
   * Stores all changes of a run, or none of them if the method fails. A resumed run may save its
   * changes again. If `records` has not increased since the last save of this run, nothing is
   * stored. If it has increased, `changes` contains all changes since the run first loaded the
   * session. Fails with `session_unknown` if the session does not exist. Fails with
   * `session_conflict` if another run has saved the session since `version`.
   */
  save(key: SessionKey, changes: SessionChanges): void | Promise<void>
  /**
   * Returns the sessions of one user, or of all users of an app if `userId` is missing. The most
   * recently updated session is the first.
   */
  list(owner: {
    readonly appName: string
    readonly userId?: string
  }): readonly SessionSummary[] | Promise<readonly SessionSummary[]>
  /**
   * Deletes a session with its history and artifacts. Shared state keys (`user:`, `app:`) are not
   * deleted. Does nothing if the session does not exist.
   */
  delete(key: SessionKey): void | Promise<void>
  /**
   * Deletes all sessions of a user with their histories and artifacts, and the state keys that
   * these sessions share (`user:`). If `dryRun` is true, deletes nothing and returns the data that
   * would be deleted.
   */
  deleteUser?(user: SessionUser, dryRun: boolean): UserSessionData | Promise<UserSessionData>
}

/** A user in one app, or in all apps if `appName` is missing. */
export interface SessionUser {
  readonly userId: string
  readonly appName?: string
}

/**
 * The data of a user that `deleteUser` deletes from a session store. It consists of the keys of the
 * deleted sessions, and the number of deleted state keys that these sessions share.
 */
export interface UserSessionData {
  readonly sessions: readonly SessionKey[]
  /** Number of state keys that start with `user:`. */
  readonly sharedKeys: number
}
