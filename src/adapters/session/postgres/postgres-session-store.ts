import type { PoolClient } from "pg"
import type { Artifacts } from "../../../machines/contract/artifacts.js"
import type { History } from "../../../machines/contract/history.js"
import { checkText } from "../../../machines/data/check-arguments.js"
import type {
  SessionKey,
  SessionStore,
  SessionSummary,
  SessionUser,
  StoredSession,
  UserSessionData,
} from "../../../runtime/journal/session-store.js"
import { keyScopeOf } from "../../../machines/data/key-scope.js"
import {
  isToBeStored,
  sessionExists,
  sessionUnknown,
} from "../../../runtime/session/session-conflicts.js"
import { loadPg } from "../../postgres/load-pg.js"
import { poolUser, preparedPool } from "../../postgres/prepared-pool.js"
import type { TableSet } from "../../postgres/prepare-tables.js"
import { inTransaction, rewriteTables } from "../../postgres/prepare-tables.js"
import type { LoadedSessionRow, PostgresSessionRow } from "./schema.js"
import {
  createSessionTables,
  sessionFormatVersion,
  sessionTablesIn,
  statementsFor,
} from "./schema.js"

const pg = await loadPg("adapters/session/postgres")

export interface PostgresSessionStoreOptions {
  /**
   * PostgreSQL schema that contains the tables. The schema is created if it does not exist.
   * Default: `agent_statecharts`.
   */
  readonly schema?: string
  /** Maximum number of database connections. Default: 5. */
  readonly maxConnections?: number
}

export interface PostgresSessionStore extends SessionStore {
  deleteUser(user: SessionUser, dryRun: boolean): Promise<UserSessionData>
  /**
   * Removes the data of deleted sessions from the files of the tables and shortens the files
   * (`VACUUM FULL`). Other processes cannot use a table while it is rewritten.
   */
  compact(): Promise<void>
  /** Closes the database connections. The store cannot be used after that. */
  close(): Promise<void>
}

/**
 * Creates a session store in PostgreSQL. Processes on many machines may use the same schema, which
 * can also contain the tables of `postgresJournal`. Each change is one transaction. Requires the
 * package `pg`.
 *
 * @example
 * const sessions = postgresSessionStore("postgresql://user@db.example/agents")
 * const runner = createRunner({ sessions })
 */
export function postgresSessionStore(
  url: string,
  options: PostgresSessionStoreOptions = {},
): PostgresSessionStore {
  checkText(
    url,
    "the URL of postgresSessionStore",
    'Pass a URL: postgresSessionStore("postgresql://...").',
  )
  const { schema = "agent_statecharts", maxConnections = 5 } = options
  const tables = sessionTablesIn(schema)
  const { sessions, state, history, artifacts } = tables
  const contentTables = [sessions, state, history, artifacts]
  const sql = statementsFor(tables)
  const tableSet: TableSet = {
    schema,
    create: createSessionTables(tables),
    contentTables,
    format: tables.format,
    version: sessionFormatVersion,
    errorCode: "session_store_failed",
  }
  const prepared = preparedPool(pg, url, maxConnections, tableSet)
  const { pool } = prepared
  const typed = poolUser(prepared, tableSet, "session store")
  const transaction = <Value>(act: (client: PoolClient) => Promise<Value>): Promise<Value> =>
    typed((from) => inTransaction(from, act))

  /**
   * Acquires a lock if a transaction changes state that several sessions of an app share, such as
   * the keys with the prefix `app:`. Without the lock, two transactions could change the same keys
   * in different orders and wait for each other.
   */
  const lockShared = async (
    client: PoolClient,
    app: string,
    names: readonly string[],
  ): Promise<void> => {
    if (names.every((name) => keyScopeOf(name) === "session")) return
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
      `agent-statecharts sessions ${schema} ${app}`,
    ])
  }

  const setState = async (
    client: PoolClient,
    key: SessionKey,
    set: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const stored = Object.entries(set).filter(([name]) => keyScopeOf(name) !== "temp")
    if (stored.length === 0) return
    await client.query(sql.setState, [
      text(key.appName),
      ...ownerColumns(
        key,
        stored.map(([name]) => name),
      ),
      stored.map(([, value]) => text(value)),
    ])
  }

  const read = async (
    from: Pick<PoolClient, "query">,
    key: SessionKey,
  ): Promise<StoredSession | null> => {
    const { rows } = await from.query<LoadedSessionRow>(sql.load, [...idOf(key)])
    return rows[0] === undefined ? null : sessionOf(rows[0])
  }

  return {
    create: (key, state, at) =>
      transaction(async (client) => {
        const { rows } = await client.query(sql.create, [...idOf(key), at])
        if (rows.length === 0) throw sessionExists(key)
        await lockShared(client, text(key.appName), Object.keys(state))
        await setState(client, key, state)
        const created = await read(client, key)
        if (created === null) throw sessionUnknown(key)
        return created
      }),

    load: (key) => typed((from) => read(from, key)),

    save: (key, changes) =>
      transaction(async (client) => {
        const { rows } = await client.query<PostgresSessionRow>(sql.find, [...idOf(key)])
        const [row] = rows
        if (row === undefined) throw sessionUnknown(key)
        if (!isToBeStored(key, summaryOf(row), changes)) return
        const { runId, records, set, removed, said, artifacts, activeAgent, at } = changes
        await lockShared(client, row.app, [...Object.keys(set), ...removed])
        await setState(client, key, set)
        const gone = removed.filter((name) => keyScopeOf(name) !== "temp")
        if (gone.length > 0)
          await client.query(sql.removeState, [row.app, ...ownerColumns(key, gone)])
        await client.query(sql.cutHistory, [row.number, said.from])
        if (said.entries.length > 0)
          await client.query(sql.addHistory, [row.number, said.from, said.entries.map(text)])
        const made = Object.entries(artifacts)
        if (made.length > 0)
          await client.query(sql.setArtifacts, [
            row.number,
            made.map(([name]) => text(name)),
            made.map(([, value]) => text(value)),
          ])
        await client.query(sql.update, [
          row.number,
          activeAgent === null ? null : text(activeAgent),
          text(runId),
          records,
          at,
        ])
      }),

    list: ({ appName, userId }) =>
      typed(async (from) => {
        const { rows } =
          userId === undefined
            ? await from.query<PostgresSessionRow>(sql.list, [text(appName)])
            : await from.query<PostgresSessionRow>(sql.listOfUser, [text(appName), text(userId)])
        return rows.map(summaryOf)
      }),

    delete: (key) =>
      transaction(async (client) => {
        await client.query(sql.remove, [...idOf(key)])
        await client.query(sql.removeOwnState, [...idOf(key)])
      }),

    deleteUser: ({ userId, appName }, dryRun) =>
      transaction(async (client) => {
        const user = [text(userId), appName === undefined ? null : text(appName)]
        const { rows } = await client.query<PostgresSessionRow>(
          dryRun ? sql.ofUser : sql.removeOfUser,
          user,
        )
        const shared = await client.query<{ readonly keys: string }>(sql.sharedOfUser, user)
        if (!dryRun) await client.query(sql.removeStateOfUser, user)
        return {
          sessions: rows
            .map(summaryOf)
            .map((found) => ({ appName: found.appName, userId, sessionId: found.sessionId })),
          sharedKeys: Number(shared.rows[0]?.keys),
        }
      }),

    compact: () => typed((from) => rewriteTables(from, contentTables)),

    close: () => pool.end(),
  }
}

const text = (value: unknown): string => JSON.stringify(value)

const idOf = ({ appName, userId, sessionId }: SessionKey): readonly [string, string, string] => [
  text(appName),
  text(userId),
  text(sessionId),
]

/**
 * Returns the values of the database columns `user_id`, `session` and `key` for each state key in
 * `names`. For keys with the prefix `user:`, `session` is empty. For keys with the prefix `app:`,
 * both `session` and `user_id` are empty.
 */
function ownerColumns(
  key: SessionKey,
  names: readonly string[],
): readonly [users: readonly string[], sessions: readonly string[], keys: readonly string[]] {
  const [, user, session] = idOf(key)
  const scopes = names.map(keyScopeOf)
  return [
    scopes.map((scope) => (scope === "app" ? "" : user)),
    scopes.map((scope) => (scope === "session" ? session : "")),
    names.map(text),
  ]
}

function sessionOf(row: LoadedSessionRow): StoredSession {
  return {
    ...summaryOf(row),
    state: record(row.keys, row.values),
    // The casts are safe. The store has written these values.
    history: (row.entries ?? []).map((entry) => JSON.parse(entry) as unknown) as unknown as History,
    artifacts: record(row.names, row.artifacts) as Artifacts,
    activeAgent: row.active_agent === null ? null : (JSON.parse(row.active_agent) as string),
  }
}

const record = (
  names: readonly string[] | null,
  values: readonly string[] | null,
): Record<string, unknown> =>
  Object.fromEntries(
    (names ?? []).map((name, index) => [
      JSON.parse(name) as string,
      JSON.parse(values?.[index] ?? "null"),
    ]),
  )

const summaryOf = (row: PostgresSessionRow): SessionSummary => ({
  // The casts are safe. The store has written these values.
  appName: JSON.parse(row.app) as string,
  userId: JSON.parse(row.user_id) as string,
  sessionId: JSON.parse(row.session) as string,
  version: Number(row.version),
  savedBy:
    row.saved_by === null
      ? null
      : { runId: JSON.parse(row.saved_by) as string, records: Number(row.saved_records) },
  updatedAt: Number(row.updated_at),
})
