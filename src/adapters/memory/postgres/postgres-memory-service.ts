import type { PoolClient } from "pg"
import { checkText } from "../../../machines/data/check-arguments.js"
import type {
  MemoryEntry,
  MemoryService,
  RememberedEvent,
} from "../../../runtime/journal/memory-service.js"
import { memoryEntry } from "../../../runtime/host/memory/memory-entry.js"
import type { SessionKey } from "../../../runtime/journal/session-store.js"
import {
  defaultMemoryLimit,
  eventId,
  indexedText,
  queryWords,
  storedMemoryText,
} from "../../../runtime/memory/memory-text.js"
import { loadPg } from "../../postgres/load-pg.js"
import { poolUser, preparedPool } from "../../postgres/prepared-pool.js"
import type { TableSet } from "../../postgres/prepare-tables.js"
import { inTransaction, rewriteTables } from "../../postgres/prepare-tables.js"
import type { MemoryMessageRow } from "./schema.js"
import { createMemoryTables, memoryFormatVersion, memoryTablesIn, statementsFor } from "./schema.js"

const pg = await loadPg("adapters/memory/postgres")

export interface PostgresMemoryServiceOptions {
  /**
   * PostgreSQL schema that contains the tables. The schema is created if it does not exist.
   * Default: `agent_statecharts`.
   */
  readonly schema?: string
  /** Maximum number of database connections. Default: 5. */
  readonly maxConnections?: number
}

export interface PostgresMemoryService extends Required<MemoryService> {
  /**
   * Removes the data of deleted messages from the files of the table and shortens the files
   * (`VACUUM FULL`). Other processes cannot use the table while it is rewritten.
   */
  compact(): Promise<void>
  /** Closes the database connections. The service cannot be used after that. */
  close(): Promise<void>
}

/**
 * Creates a memory service in PostgreSQL. It stores the messages of users for a long time and finds
 * them with full-text search. Processes on many machines may use the same schema, which can also
 * contain the tables of `postgresJournal`. Requires the package `pg`.
 *
 * @example
 * const memory = postgresMemoryService("postgresql://user@db.example/agents")
 * const runner = createRunner({ memory })
 */
export function postgresMemoryService(
  url: string,
  options: PostgresMemoryServiceOptions = {},
): PostgresMemoryService {
  checkText(
    url,
    "the URL of postgresMemoryService",
    'Pass a URL: postgresMemoryService("postgresql://...").',
  )
  const { schema = "agent_statecharts", maxConnections = 5 } = options
  const tables = memoryTablesIn(schema)
  const contentTables = [tables.messages]
  const sql = statementsFor(tables)
  const tableSet: TableSet = {
    schema,
    create: createMemoryTables(tables),
    contentTables,
    format: tables.format,
    version: memoryFormatVersion,
    errorCode: "memory_failed",
  }
  const prepared = preparedPool(pg, url, maxConnections, tableSet)
  const typed = poolUser(prepared, tableSet, "memory service")

  /** Stores the messages of a session by their event id. A message without text is not stored. */
  const put = async (
    from: Pick<PoolClient, "query">,
    { appName, userId, sessionId }: SessionKey,
    events: ReadonlyMap<string, RememberedEvent>,
  ): Promise<void> => {
    const stored = [...events]
      .map(([id, event]) => ({ id, event, text: storedMemoryText(event) }))
      .filter(({ text }) => text !== "")
    if (stored.length === 0) return
    await from.query(sql.put, [
      json(appName),
      json(userId),
      json(sessionId),
      stored.map(({ id }) => json(id)),
      stored.map(({ event }) => json(event.author)),
      stored.map(({ event: { content } }) =>
        content?.role === undefined ? null : json(content.role),
      ),
      stored.map(({ text }) => json(text)),
      stored.map(({ event }) => Math.floor(event.timestamp)),
      stored.map(({ text }) => indexedText(text)),
    ])
  }

  return {
    addSessionToMemory: ({ id: sessionId, appName, userId, events }) =>
      typed((from) =>
        inTransaction(from, async (client) => {
          const known = new Map(events.map((event, index) => [eventId(event, index), event]))
          await put(client, { appName, userId, sessionId }, known)
          const ids = [...known.keys()].map(json)
          await client.query(sql.keepOnly, [json(appName), json(userId), json(sessionId), ids])
        }),
      ),

    addEventsToMemory: ({ events, ...key }) =>
      typed((from) => put(from, key, new Map(events.map((event) => [event.id, event])))),

    searchMemory: async ({
      appName,
      userId,
      query,
      limit = defaultMemoryLimit,
      excludedSessionId,
    }) => {
      const words = queryWords(query)
      if (words.length === 0) return { memories: [] }
      const { rows } = await typed((from) =>
        from.query<MemoryMessageRow>(sql.search, [
          json(appName),
          json(userId),
          words.join(" "),
          excludedSessionId === undefined ? "" : json(excludedSessionId),
          limit,
        ]),
      )
      return { memories: rows.map(entryOf) }
    },

    deleteUser: ({ userId, appName }, dryRun) =>
      typed(async (from) => {
        const user = [json(userId), appName === undefined ? null : json(appName)]
        if (!dryRun) return (await from.query(sql.removeOfUser, user)).rowCount ?? 0
        const { rows } = await from.query<{ readonly messages: string }>(sql.countOfUser, user)
        return Number(rows[0]?.messages)
      }),

    compact: () => typed((from) => rewriteTables(from, contentTables)),

    close: () => prepared.pool.end(),
  }
}

const json = (value: string): string => JSON.stringify(value)

// The cast is safe. The service has written these texts.
const parse = (text: string): string => JSON.parse(text) as string

const entryOf = ({ author, role, content, at }: MemoryMessageRow): MemoryEntry =>
  memoryEntry({
    author: parse(author),
    role: role === null ? null : parse(role),
    text: parse(content),
    time: Number(at),
  })
