import type { SessionStore } from "../../runtime/journal/session-store.js"

/** A session store in a file or a database. */
export interface StoredSessions extends Required<SessionStore> {
  /** Removes deleted sessions from the store's files, which may still contain their data. */
  compact(): void | Promise<void>
  close(): void | Promise<void>
}

/**
 * Returns a session store that delegates to another store and opens it when one of its methods is
 * first called. Most commands use no sessions, and opening a database takes time. If `isStored`
 * returns false, no session has been stored yet, and `deleteUser` and `compact` do not open the
 * store.
 */
export function lazySessions(
  open: () => Promise<StoredSessions>,
  isStored: () => boolean,
): StoredSessions {
  let opened: Promise<StoredSessions> | null = null
  const store = (): Promise<StoredSessions> => (opened ??= open())
  return {
    create: async (...given) => (await store()).create(...given),
    load: async (key) => (await store()).load(key),
    save: async (...given) => (await store()).save(...given),
    list: async (owner) => (await store()).list(owner),
    delete: async (key) => (await store()).delete(key),
    deleteUser: async (...given) =>
      isStored() ? (await store()).deleteUser(...given) : { sessions: [], sharedKeys: 0 },
    async compact() {
      if (isStored()) await (await store()).compact()
    },
    async close() {
      if (opened !== null) await (await opened).close()
    },
  }
}
