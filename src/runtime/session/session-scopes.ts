import { AgentStatechartsError } from "../../errors.js"
import type {
  SessionChanges,
  SessionKey,
  SessionUser,
  StoredSession,
} from "../journal/session-store.js"

/**
 * Scope of a state key. It determines which sessions share the value of the key, and depends on the
 * prefix of the key (docs/semantics.md#sessions).
 */
export type SessionScope = "session" | "user" | "app" | "temp"

export const scopeOf = (key: string): SessionScope =>
  key.startsWith("user:")
    ? "user"
    : key.startsWith("app:")
      ? "app"
      : key.startsWith("temp:")
        ? "temp"
        : "session"

/**
 * Returns the key under which a store saves the state of a scope. The key identifies the owner of
 * the state: the session, the user or the app.
 */
export function ownerOf(
  { appName, userId, sessionId }: SessionKey,
  scope: "session" | "user" | "app",
): string {
  return JSON.stringify(
    scope === "app"
      ? [appName]
      : scope === "user"
        ? [appName, userId]
        : [appName, userId, sessionId],
  )
}

/**
 * Returns true if a session belongs to a user. If `user` has no `appName`, the app of the session
 * does not matter.
 */
export const isOfUser = (
  { appName, userId }: Pick<SessionKey, "appName" | "userId">,
  user: SessionUser,
): boolean => userId === user.userId && (user.appName === undefined || appName === user.appName)

/**
 * Returns true if a key that `ownerOf` has returned belongs to the state that all sessions of this
 * user share.
 */
export function isStateOfUser(owner: string, user: SessionUser): boolean {
  const [appName, userId, sessionId] = JSON.parse(owner) as readonly [string, string?, string?]
  return userId !== undefined && sessionId === undefined && isOfUser({ appName, userId }, user)
}

const describe = ({ appName, userId, sessionId }: SessionKey): string =>
  `session "${sessionId}" of user "${userId}" in app "${appName}"`

export const sessionUnknown = (key: SessionKey): AgentStatechartsError =>
  new AgentStatechartsError("session_unknown", `the ${describe(key)} does not exist`)

export const sessionExists = (key: SessionKey): AgentStatechartsError =>
  new AgentStatechartsError("session_exists", `the ${describe(key)} already exists`)

/**
 * Returns true if the changes of a run must be stored, and false if the run has already saved them.
 *
 * @throws AgentStatechartsError `session_conflict` if another run has saved the session in the
 * meantime
 */
export function isToBeStored(
  key: SessionKey,
  stored: Pick<StoredSession, "version" | "savedBy">,
  changes: Pick<SessionChanges, "version" | "runId" | "records">,
): boolean {
  if (stored.savedBy?.runId === changes.runId) return stored.savedBy.records < changes.records
  if (stored.version === changes.version) return true
  throw new AgentStatechartsError(
    "session_conflict",
    `${describe(key)} was saved by run "${stored.savedBy?.runId}" after run "${changes.runId}" had read it; the changes of run "${changes.runId}" are not stored`,
  )
}
