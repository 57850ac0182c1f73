import type { Artifacts } from "../../../machines/contract/artifacts.js"
import type { History } from "../../../machines/contract/history.js"
import { keyScopeOf } from "../../../machines/data/key-scope.js"
import {
  isToBeStored,
  sessionExists,
  sessionUnknown,
} from "../../../runtime/session/session-conflicts.js"
import { isOfUser, isStateOfUser, stateOwnerKey } from "../../../runtime/session/state-owner.js"
import type {
  SessionKey,
  SessionStore,
  SessionSummary,
  SessionUser,
  StoredSession,
  UserSessionData,
} from "../../../runtime/journal/session-store.js"
import { openDatabase } from "../../sqlite/open-database.js"
import { storeFailed } from "../../store-failed.js"
import { storedText } from "../../sqlite/stored-text.js"
import type { SessionRow } from "./schema.js"
import { schema, statements } from "./schema.js"

export interface SqliteSessionStore extends SessionStore {
  deleteUser(user: SessionUser, dryRun: boolean): UserSessionData
  /**
   * Removes the data of deleted sessions from the SQLite file and shortens the file. Until this
   * method is called, the file may still contain the data.
   */
  compact(): void
  /** Closes the database file. The store cannot be used after that. */
  close(): void
}

/**
 * Creates a session store in a SQLite file. Several processes may use the file. Each change is one
 * transaction. With the file name `:memory:`, the sessions are lost when the store is closed.
 *
 * @example
 * const sessions = sqliteSessionStore("sessions.db")
 * const runner = createRunner({ sessions })
 */
export function sqliteSessionStore(
  file: string,
  {
    busyTimeoutMs = 5000,
  }: {
    /**
     * Maximum time in milliseconds to wait for a database lock of another process. Default: 5,000.
     */
    readonly busyTimeoutMs?: number
  } = {},
): SqliteSessionStore {
  const typed = <Value>(act: () => Value): Value => {
    try {
      return act()
    } catch (error) {
      throw storeFailed("session_store_failed", `the session store ${file}`, error)
    }
  }
  const database = typed(() =>
    openDatabase(file, {
      schema,
      statements,
      busyTimeoutMs,
      errorCode: "session_store_failed",
    }),
  )
  const { prepared } = database
  const transaction = <Value>(act: () => Value): Value =>
    typed(() => database.writeTransaction(act))
  const readTransaction = <Value>(act: () => Value): Value =>
    typed(() => database.readTransaction(act))

  const find = (key: SessionKey): SessionRow | undefined =>
    prepared.find.get(...idOf(key)) as SessionRow | undefined

  const writeState = (key: SessionKey, set: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(set)) {
      const scope = keyScopeOf(name)
      if (scope !== "temp")
        prepared.writeState.run(stateOwnerKey(key, scope), text(name), text(value))
    }
  }

  const read = (key: SessionKey, row: SessionRow): StoredSession => {
    const owner = stateOwnerKey(key, "session")
    const state = (["app", "user", "session"] as const).flatMap(
      (scope) =>
        prepared.readState.all(stateOwnerKey(key, scope)) as { key: unknown; value: unknown }[],
    )
    const artifacts = prepared.readArtifacts.all(owner) as { name: unknown; value: unknown }[]
    const history = prepared.readHistory.all(owner) as { entry: unknown }[]
    return {
      ...summaryOf(row),
      state: Object.fromEntries(
        state.map((entry) => [parse(entry.key) as string, parse(entry.value)]),
      ),
      // The cast is safe. The store has written these values.
      history: history.map(({ entry }) => parse(entry)) as unknown as History,
      artifacts: Object.fromEntries(
        artifacts.map(({ name, value }) => [parse(name) as string, parse(value)]),
      ) as Artifacts,
      activeAgent: row.active_agent === null ? null : (parse(row.active_agent) as string),
    }
  }

  const remove = (key: SessionKey): void => {
    const owner = stateOwnerKey(key, "session")
    prepared.remove.run(...idOf(key))
    prepared.removeAllState.run(owner)
    prepared.cutHistory.run(owner, 0)
    prepared.removeArtifacts.run(owner)
  }

  return {
    create: (key, state, at) =>
      transaction(() => {
        if (find(key) !== undefined) throw sessionExists(key)
        prepared.create.run(...idOf(key), at)
        writeState(key, state)
        return read(key, find(key) as SessionRow)
      }),

    load(key) {
      // A transaction is needed, so that all reads return data from the same point in time.
      return readTransaction(() => {
        const row = find(key)
        return row === undefined ? null : read(key, row)
      })
    },

    save: (key, changes) =>
      transaction(() => {
        const row = find(key)
        if (row === undefined) throw sessionUnknown(key)
        if (!isToBeStored(key, summaryOf(row), changes)) return
        const { runId, records, set, removed, said, artifacts, activeAgent, at } = changes
        const owner = stateOwnerKey(key, "session")
        writeState(key, set)
        for (const name of removed) {
          const scope = keyScopeOf(name)
          if (scope !== "temp") prepared.removeState.run(stateOwnerKey(key, scope), text(name))
        }
        prepared.cutHistory.run(owner, said.from)
        for (const [index, entry] of said.entries.entries())
          prepared.addEntry.run(owner, said.from + index, text(entry))
        for (const [name, value] of Object.entries(artifacts))
          prepared.writeArtifact.run(owner, text(name), text(value))
        prepared.update.run(
          activeAgent === null ? null : text(activeAgent),
          text(runId),
          records,
          at,
          ...idOf(key),
        )
      }),

    list: ({ appName, userId }) =>
      typed(() => {
        const rows =
          userId === undefined
            ? prepared.listOfApp.all(text(appName))
            : prepared.listOfUser.all(text(appName), text(userId))
        return (rows as SessionRow[]).map(summaryOf)
      }),

    delete: (key) => transaction(() => remove(key)),

    deleteUser: (user, dryRun) =>
      transaction(() => {
        const sessions = (prepared.listOfAllApps.all(text(user.userId)) as SessionRow[])
          .map(summaryOf)
          .filter((session) => isOfUser(session, user))
          .map(({ appName, userId, sessionId }) => ({ appName, userId, sessionId }))
        const owners = (prepared.stateOwners.all() as { owner: unknown; keys: number }[])
          .map(({ owner, keys }) => ({ owner: storedText(owner, "an owner"), keys }))
          .filter(({ owner }) => isStateOfUser(owner, user))
        if (!dryRun) {
          for (const key of sessions) remove(key)
          for (const { owner } of owners) prepared.removeAllState.run(owner)
        }
        return { sessions, sharedKeys: owners.reduce((sum, { keys }) => sum + keys, 0) }
      }),

    compact: () => typed(() => database.vacuum()),

    close: () => typed(() => database.close()),
  }
}

const text = (value: unknown): string => JSON.stringify(value)

const parse = (column: unknown): unknown => JSON.parse(storedText(column, "a text"))

const idOf = ({ appName, userId, sessionId }: SessionKey): readonly [string, string, string] => [
  text(appName),
  text(userId),
  text(sessionId),
]

const summaryOf = ({
  app,
  user,
  id,
  version,
  saved_by: runId,
  saved_records: records,
  updated_at: updatedAt,
}: SessionRow): SessionSummary => ({
  appName: parse(app) as string,
  userId: parse(user) as string,
  sessionId: parse(id) as string,
  version,
  savedBy: runId === null || records === null ? null : { runId: parse(runId) as string, records },
  updatedAt,
})
