import { AgentStatechartsError } from "../../errors.js"
import type { SessionChanges, SessionKey, StoredSession } from "../journal/session-store.js"

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
