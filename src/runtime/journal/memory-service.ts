import type { SessionUser } from "./session-store.js"

/** The content of a message, in ADK's format. Memory services search only its text parts. */
export interface MemoryContent {
  readonly role?: string
  readonly parts?: readonly { readonly text?: string }[]
}

/** A message of a session, as a memory service stores it. */
export interface RememberedEvent {
  /** Id of the message in its session. Default: its position in the session. */
  readonly id?: string
  /** `user`, or the name of an agent. */
  readonly author: string
  readonly content?: MemoryContent
  /** Time of the message in milliseconds since the epoch; 0 if unknown. */
  readonly timestamp: number
}

/** The fields of a session that a memory service stores. */
export interface RememberedSession {
  readonly id: string
  readonly appName: string
  readonly userId: string
  readonly events: readonly RememberedEvent[]
}

/** Messages to add to the memory of a user. */
export interface RememberedEvents {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
  /**
   * The messages to add. A message replaces a stored message of the session that has the same id.
   */
  readonly events: readonly (RememberedEvent & { readonly id: string })[]
}

export interface SearchMemoryRequest {
  readonly appName: string
  readonly userId: string
  /**
   * Text to search for. A model may have written the text, so a memory service must not interpret
   * it as a query language.
   */
  readonly query: string
  /** Maximum number of results. Default: the service decides. */
  readonly limit?: number
  /** Id of a session whose messages are not searched. */
  readonly excludedSessionId?: string
}

export interface SearchMemoryResponse {
  /** The found messages, best first. */
  readonly memories: readonly MemoryEntry[]
}

/** A message of an earlier session that a search has found. */
export interface MemoryEntry {
  readonly content: MemoryContent
  readonly author?: string
  /** Time of the message in ISO 8601 format; absent if it is unknown. */
  readonly timestamp?: string
}

/**
 * The long-term memory of users: it stores the messages of sessions, and searches all messages of
 * one user in one app (docs/memory.md). It has the methods of ADK's memory services.
 */
export interface MemoryService {
  addSessionToMemory(session: RememberedSession): Promise<void>
  searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse>
  /**
   * Adds messages of one session. Runners call it with the messages of each invocation. Without this
   * method, runners call `addSessionToMemory` with the whole session.
   */
  addEventsToMemory?(added: RememberedEvents): Promise<void>
  /**
   * Deletes the memory of a user and returns the number of deleted messages. If `dryRun` is true,
   * deletes nothing and returns the number of messages that would be deleted. The function
   * `deleteUser`, which deletes all data of a user, needs this method.
   */
  deleteUser?(user: SessionUser, dryRun: boolean): Promise<number>
}
