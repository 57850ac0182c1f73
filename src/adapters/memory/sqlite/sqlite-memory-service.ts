import type {
  MemoryEntry,
  MemoryService,
  RememberedEvent,
} from "../../../runtime/journal/memory-service.js"
import { memoryEntry } from "../../../runtime/host/memory/memory-entry.js"
import type { SessionKey, SessionUser } from "../../../runtime/journal/session-store.js"
import {
  defaultMemoryLimit,
  eventId,
  indexedText,
  queryWords,
  storedMemoryText,
} from "../../../runtime/memory/memory-text.js"
import { openDatabase } from "../../sqlite/open-database.js"
import { storeFailed } from "../../store-failed.js"
import { storedText } from "../../sqlite/stored-text.js"
import type { MessageRow } from "./schema.js"
import { schema, statements } from "./schema.js"

export interface SqliteMemoryService extends Required<MemoryService> {
  /**
   * Removes the data of deleted messages from the SQLite file and shortens the file. Until this
   * method is called, the file may still contain the data.
   */
  compact(): void
  /** Closes the database file. The service cannot be used after that. */
  close(): void
}

/**
 * Creates a memory service in a SQLite file. It stores the messages of users for a long time and
 * finds them with full-text search (FTS5). Several processes may use the file. With the file name
 * `:memory:`, the messages are lost when the service is closed.
 *
 * @example
 * const memory = sqliteMemoryService("memory.sqlite")
 * const runner = createRunner({ memory })
 */
export function sqliteMemoryService(
  file: string,
  {
    busyTimeoutMs = 5000,
  }: {
    /**
     * Maximum time in milliseconds to wait for a database lock of another process. Default: 5,000.
     */
    readonly busyTimeoutMs?: number
  } = {},
): SqliteMemoryService {
  const typed = <Value>(act: () => Value): Value => {
    try {
      return act()
    } catch (error) {
      throw storeFailed("memory_failed", `the memory service ${file}`, error)
    }
  }
  const database = typed(() =>
    openDatabase(file, { schema, statements, busyTimeoutMs, errorCode: "memory_failed" }),
  )
  const { prepared } = database
  const transaction = <Value>(act: () => Value): Value =>
    typed(() => database.writeTransaction(act))

  const findUser = (appName: string, userId: string): number | null => {
    const found = prepared.findUser.get(json(appName), json(userId))
    return found === undefined ? null : (found as { readonly number: number }).number
  }
  const remove = (number: number): void => {
    prepared.removeWords.run(number)
    prepared.removeMessage.run(number)
  }

  /**
   * Adds a message, or replaces the stored message with the same id. A stored message with the same
   * text and author is not changed.
   */
  const put = (owner: number, session: string, id: string, event: RememberedEvent): void => {
    const text = storedMemoryText(event)
    const found = prepared.findMessage.get(owner, session, json(id)) as
      | (MessageRow & { readonly number: number })
      | undefined
    if (found !== undefined) {
      if (parse(found.content) === text && parse(found.author) === event.author) return
      remove(found.number)
    }
    if (text === "") return
    const { author, content, timestamp } = event
    const role = content?.role === undefined ? null : json(content.role)
    const { lastInsertRowid } = prepared.addMessage.run(
      owner,
      session,
      json(id),
      json(author),
      role,
      json(text),
      Math.floor(timestamp),
    )
    prepared.addWords.run(Number(lastInsertRowid), ownerWord(owner), indexedText(text))
  }

  const putAll = (
    { appName, userId, sessionId }: SessionKey,
    events: ReadonlyMap<string, RememberedEvent>,
  ): { readonly owner: number; readonly session: string } => {
    const owner =
      findUser(appName, userId) ??
      Number(prepared.addUser.run(json(appName), json(userId)).lastInsertRowid)
    const session = json(sessionId)
    for (const [id, event] of events) put(owner, session, id, event)
    return { owner, session }
  }

  return {
    addSessionToMemory: async ({ id: sessionId, appName, userId, events }) =>
      transaction(() => {
        const known = new Map(events.map((event, index) => [eventId(event, index), event]))
        const { owner, session } = putAll({ appName, userId, sessionId }, known)
        const stored = prepared.eventsOfSession.all(owner, session)
        for (const { number, event } of stored as { number: number; event: unknown }[])
          if (!known.has(parse(event))) remove(number)
      }),

    addEventsToMemory: async ({ events, ...key }) =>
      transaction(() => void putAll(key, new Map(events.map((event) => [event.id, event])))),

    searchMemory: async ({
      appName,
      userId,
      query,
      limit = defaultMemoryLimit,
      excludedSessionId,
    }) =>
      typed(() => {
        const words = queryWords(query)
        const owner = findUser(appName, userId)
        if (owner === null || words.length === 0) return { memories: [] }
        // The words contain only letters, marks and digits. In quotes, they are not operators.
        const match = `owner : "${ownerWord(owner)}" AND content : (${words.map((word) => `"${word}"`).join(" OR ")})`
        const excluded = excludedSessionId === undefined ? "" : json(excludedSessionId)
        const rows = prepared.search.all(match, owner, excluded, limit) as MessageRow[]
        return { memories: rows.map(entryOf) }
      }),

    deleteUser: async (user, dryRun) =>
      transaction(() => {
        let messages = 0
        for (const owner of usersOf(user)) {
          const found = prepared.messagesOfUser.all(owner) as { readonly number: number }[]
          messages += found.length
          if (dryRun) continue
          for (const { number } of found) remove(number)
          prepared.removeUser.run(owner)
        }
        return messages
      }),

    compact: () =>
      typed(() => {
        prepared.mergeWords.run()
        database.vacuum()
      }),

    close: () => typed(() => database.close()),
  }

  function usersOf({ userId, appName }: SessionUser): readonly number[] {
    const rows = prepared.usersOfAllApps.all(json(userId)) as { number: number; app: unknown }[]
    return rows
      .filter(({ app }) => appName === undefined || parse(app) === appName)
      .map(({ number }) => number)
  }
}

/**
 * Returns the word that identifies a user in the full-text index, for example `u12`. It is indexed
 * with each message of the user.
 */
const ownerWord = (owner: number): string => `u${owner}`

const json = (value: string): string => JSON.stringify(value)

// The cast is safe. The service has written these texts.
const parse = (column: unknown): string => JSON.parse(storedText(column, "a text")) as string

const entryOf = ({ author, role, content, at }: MessageRow): MemoryEntry =>
  memoryEntry({
    author: parse(author),
    role: role === null ? null : parse(role),
    text: parse(content),
    time: at,
  })
