import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { History } from "../../machines/contract/history.js"
import type { SessionContents } from "../../machines/containers/session-contents.js"

/** Which session: one conversation of one user with one app. */
export interface SessionKey {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
}

/** A session as its store gives it: a copy of its own, which nobody else changes. */
export interface StoredSession extends SessionKey, SessionContents {
  /** How often it was saved. */
  readonly version: number
  /** The run that saved it last, and how many records its journal had; null before the first time. */
  readonly savedBy: SavedBy | null
  /** When it was created or saved last, in milliseconds since the epoch. */
  readonly updatedAt: number
}

export interface SavedBy {
  readonly runId: string
  readonly records: number
}

/** A session in a list. */
export type SessionSummary = Omit<StoredSession, keyof SessionContents>

/** What a run has changed in its session since it read it or saved it last. */
export interface SessionChanges extends SavedBy {
  /** The version that the changes are made to. */
  readonly version: number
  readonly set: Readonly<Record<string, unknown>>
  readonly removed: readonly string[]
  /** Everything that was said after the first `from` entries of the history. */
  readonly said: { readonly from: number; readonly entries: History }
  readonly artifacts: Artifacts
  readonly activeAgent: string | null
  readonly at: number
}

/**
 * Stores sessions between runs (docs/semantics.md#sessions). All sessions of a user share the keys `user:x`, all sessions of an app share
 * `app:x`, and `temp:x` is never stored. Each session shows its own keys and the shared keys. Methods may return a value or a
 * promise. If a method throws, the run that called it fails.
 */
export interface SessionStore {
  /** A new session. `user:` and `app:` keys of `state` are written for all who share them. Throws or rejects `session_exists`. */
  create(
    key: SessionKey,
    state: Readonly<Record<string, unknown>>,
    at: number,
  ): StoredSession | Promise<StoredSession>
  /** null for a session that is not there. */
  load(key: SessionKey): StoredSession | null | Promise<StoredSession | null>
  /**
   * Stores what a run has changed, all of it or nothing. A run that was taken up again may save what it has saved before:
   * under the same number of records nothing happens, under more the changes are those since it first read the session. Throws or rejects `session_unknown` for a session that is not there,
   * and `session_conflict` where another run has saved since `version`.
   */
  save(key: SessionKey, changes: SessionChanges): void | Promise<void>
  /** The sessions of one user, or of all users of an app, the one that was updated last first. */
  list(owner: {
    readonly appName: string
    readonly userId?: string
  }): readonly SessionSummary[] | Promise<readonly SessionSummary[]>
  /** Deletes a session with its history and artifacts; what it shares with others stays. A session that is not there is no error. */
  delete(key: SessionKey): void | Promise<void>
}
