import type { Content } from "../events/content.js"
import { textOf } from "../events/content.js"
import type { Event } from "../events/event.js"

/** A message of an earlier session. */
export interface MemoryEntry {
  readonly content: Content
  readonly author?: string
  readonly timestamp?: string
}

export interface SearchMemoryRequest {
  readonly appName: string
  readonly userId: string
  readonly query: string
}

export interface SearchMemoryResponse {
  readonly memories: readonly MemoryEntry[]
}

/** The fields of a session that a memory service stores. */
export interface RememberedSession {
  readonly id: string
  readonly appName: string
  readonly userId: string
  readonly events: readonly Event[]
}

/** Stores sessions and searches the messages of all sessions of a user. */
export interface BaseMemoryService {
  addSessionToMemory(session: RememberedSession): Promise<void>
  searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse>
}

/**
 * A memory service that keeps messages in the memory of this process. A search finds the messages
 * that contain a word of the query.
 */
export class InMemoryMemoryService implements BaseMemoryService {
  /** Messages by user and then by session id. */
  readonly #byUser = new Map<string, Map<string, readonly Event[]>>()

  async addSessionToMemory({ id, appName, userId, events }: RememberedSession): Promise<void> {
    const owner = JSON.stringify([appName, userId])
    const sessions = this.#byUser.get(owner) ?? new Map<string, readonly Event[]>()
    this.#byUser.set(owner, sessions.set(id, events))
  }

  async searchMemory({
    appName,
    userId,
    query,
  }: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    const sessions = this.#byUser.get(JSON.stringify([appName, userId]))
    const wanted = wordsOf(query)
    const memories = [...(sessions?.values() ?? [])]
      .flat()
      .flatMap(({ content, author, timestamp }) => {
        const words = wordsOf(textOf(content) ?? "")
        if (content === undefined || ![...wanted].some((word) => words.has(word))) return []
        return [
          {
            content,
            author,
            ...(timestamp > 0 && { timestamp: new Date(timestamp).toISOString() }),
          },
        ]
      })
    return { memories }
  }
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
