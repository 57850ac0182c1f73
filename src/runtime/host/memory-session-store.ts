import { keyScopeOf } from "../../machines/data/key-scope.js"
import { isToBeStored, sessionExists, sessionUnknown } from "../session/session-conflicts.js"
import { isOfUser, isStateOfUser, stateOwnerKey } from "../session/state-owner.js"
import type {
  SessionKey,
  SessionStore,
  SessionSummary,
  StoredSession,
} from "../journal/session-store.js"

/**
 * The fields of a stored session that belong to this session only. The state is stored separately,
 * because sessions share the state keys that start with `user:` or `app:`.
 */
type OwnPart = Omit<StoredSession, "state" | keyof SessionKey>

/**
 * Creates a session store in the memory of this process. When the process ends, the sessions are
 * lost.
 */
export function memorySessionStore(): SessionStore {
  const sessions = new Map<string, { readonly key: SessionKey; readonly own: OwnPart }>()
  const states = new Map<string, Map<string, unknown>>()

  const stateOf = (owner: string): Map<string, unknown> => {
    const known = states.get(owner)
    if (known !== undefined) return known
    const created = new Map<string, unknown>()
    states.set(owner, created)
    return created
  }
  const write = (key: SessionKey, set: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(structuredClone(set))) {
      const scope = keyScopeOf(name)
      if (scope !== "temp") stateOf(stateOwnerKey(key, scope)).set(name, value)
    }
  }
  const read = ({ appName, userId, sessionId }: SessionKey, own: OwnPart): StoredSession => {
    const key = { appName, userId, sessionId }
    const entries = (["app", "user", "session"] as const).flatMap((scope) => [
      ...(states.get(stateOwnerKey(key, scope)) ?? []),
    ])
    return structuredClone({ ...key, state: Object.fromEntries(entries), ...own })
  }

  return {
    create(key, state, at) {
      const id = stateOwnerKey(key, "session")
      if (sessions.has(id)) throw sessionExists(key)
      const { appName, userId, sessionId } = key
      const own: OwnPart = {
        history: [],
        artifacts: {},
        activeAgent: null,
        version: 0,
        savedBy: null,
        updatedAt: at,
      }
      write(key, state)
      sessions.set(id, { key: { appName, userId, sessionId }, own })
      return read(key, own)
    },

    load(key) {
      const found = sessions.get(stateOwnerKey(key, "session"))
      return found === undefined ? null : read(key, found.own)
    },

    save(key, changes) {
      const id = stateOwnerKey(key, "session")
      const found = sessions.get(id)
      if (found === undefined) throw sessionUnknown(key)
      if (!isToBeStored(key, found.own, changes)) return
      const { runId, records, set, removed, said, artifacts, activeAgent, at } = changes
      write(key, set)
      for (const name of removed) {
        const scope = keyScopeOf(name)
        if (scope !== "temp") stateOf(stateOwnerKey(key, scope)).delete(name)
      }
      const own: OwnPart = {
        history: [...found.own.history.slice(0, said.from), ...structuredClone(said.entries)],
        artifacts: { ...found.own.artifacts, ...structuredClone(artifacts) },
        activeAgent,
        version: found.own.version + 1,
        savedBy: { runId, records },
        updatedAt: at,
      }
      sessions.set(id, { key: found.key, own })
    },

    list({ appName, userId }) {
      const isListed = ({ key }: { readonly key: SessionKey }): boolean =>
        key.appName === appName && (userId === undefined || key.userId === userId)
      return [...sessions.values()]
        .filter(isListed)
        .map(({ key, own: { version, savedBy, updatedAt } }): SessionSummary => ({
          ...key,
          version,
          savedBy,
          updatedAt,
        }))
        .sort((one, other) => other.updatedAt - one.updatedAt)
    },

    delete(key) {
      const id = stateOwnerKey(key, "session")
      sessions.delete(id)
      states.delete(id)
    },

    deleteUser(user, dryRun) {
      const found = [...sessions].filter(([, { key }]) => isOfUser(key, user))
      const shared = [...states].filter(([owner]) => isStateOfUser(owner, user))
      const sharedKeys = shared.reduce((sum, [, state]) => sum + state.size, 0)
      if (!dryRun) {
        for (const [id] of found) {
          sessions.delete(id)
          states.delete(id)
        }
        for (const [owner] of shared) states.delete(owner)
      }
      return { sessions: found.map(([, { key }]) => key), sharedKeys }
    },
  }
}
