import type {
  MemoryEntry,
  MemoryService,
  RememberedEvent,
  RememberedEvents,
  RememberedSession,
  SearchMemoryRequest,
  SearchMemoryResponse,
} from "../../journal/memory-service.js"
import type { SessionUser } from "../../journal/session-store.js"
import { isOfUser } from "../../session/state-owner.js"
import { eventId, memoryText, queryWords, textWords } from "../../memory/memory-text.js"
import { memoryTime } from "./memory-entry.js"

/** The remembered messages of one user in one app, by session id and then by message id. */
interface UserMemory {
  readonly appName: string
  readonly userId: string
  readonly sessions: Map<string, Map<string, RememberedEvent>>
}

/**
 * A memory service that stores messages in the memory of this process. A search returns the
 * messages that contain at least one word of the query. Messages with more words of the query come
 * first.
 */
export class InMemoryMemoryService implements MemoryService {
  readonly #users = new Map<string, UserMemory>()

  async addSessionToMemory({ id, appName, userId, events }: RememberedSession): Promise<void> {
    this.#memoryOf(appName, userId).sessions.set(id, byId(events))
  }

  async addEventsToMemory({ appName, userId, sessionId, events }: RememberedEvents): Promise<void> {
    const { sessions } = this.#memoryOf(appName, userId)
    const known = sessions.get(sessionId) ?? new Map<string, RememberedEvent>()
    for (const [id, event] of byId(events)) known.set(id, event)
    sessions.set(sessionId, known)
  }

  async searchMemory({
    appName,
    userId,
    query,
    limit,
    excludedSessionId,
  }: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    const wanted = queryWords(query)
    const found: { readonly event: RememberedEvent; readonly matches: number }[] = []
    for (const [sessionId, events] of this.#users.get(ownerKey(appName, userId))?.sessions ?? []) {
      if (sessionId === excludedSessionId) continue
      for (const event of events.values()) {
        const words = new Set(textWords(memoryText(event.content ?? {})))
        const matches = wanted.filter((word) => words.has(word)).length
        if (matches > 0) found.push({ event, matches })
      }
    }
    found.sort((one, other) => other.matches - one.matches)
    return { memories: found.slice(0, limit).map(({ event }) => entryOf(event)) }
  }

  async deleteUser(user: SessionUser, dryRun: boolean): Promise<number> {
    let messages = 0
    for (const [key, memory] of this.#users) {
      if (!isOfUser(memory, user)) continue
      for (const events of memory.sessions.values()) messages += events.size
      if (!dryRun) this.#users.delete(key)
    }
    return messages
  }

  #memoryOf(appName: string, userId: string): UserMemory {
    const key = ownerKey(appName, userId)
    const memory = this.#users.get(key) ?? { appName, userId, sessions: new Map() }
    this.#users.set(key, memory)
    return memory
  }
}

const ownerKey = (appName: string, userId: string): string => JSON.stringify([appName, userId])

/**
 * Returns a map of messages by message id. If a message has no id, the key is derived from its
 * index.
 */
const byId = (events: readonly RememberedEvent[]): Map<string, RememberedEvent> =>
  new Map(events.map((event, index) => [eventId(event, index), event]))

const entryOf = ({ content, author, timestamp }: RememberedEvent): MemoryEntry => ({
  content: content ?? {},
  author,
  ...memoryTime(timestamp),
})
