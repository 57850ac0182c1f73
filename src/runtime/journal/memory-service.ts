import type { SessionUser } from "./session-store.js"

/**
 * Content of a message in the long-term memory, in ADK's format. Only the text parts are searched.
 */
export interface MemoryContent {
  readonly role?: string
  readonly parts?: readonly { readonly text?: string }[]
}

/** A message of a session, in the form in which a memory service stores it. */
export interface RememberedEvent {
  /** Id of the message in its session. Default: the index of the message in the session. */
  readonly id?: string
  /** `user`, or the name of the agent that wrote the message. */
  readonly author: string
  readonly content?: MemoryContent
  /** Time of the message in milliseconds since the epoch. 0 if it is unknown. */
  readonly timestamp: number
}

/** A session with its messages, in the form in which a memory service stores it. */
export interface RememberedSession {
  readonly id: string
  readonly appName: string
  readonly userId: string
  readonly events: readonly RememberedEvent[]
}

/** Messages of one session that are added to the memory of a user. */
export interface RememberedEvents {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
  /**
   * The messages to add. A message replaces a stored message of the same session with the same id.
   */
  readonly events: readonly (RememberedEvent & { readonly id: string })[]
}

export interface SearchMemoryRequest {
  readonly appName: string
  readonly userId: string
  /**
   * Text to search for. A model may have written this text, so a memory service must not interpret
   * it as a query language.
   */
  readonly query: string
  /** Maximum number of results. By default, the memory service decides. */
  readonly limit?: number
  /** Id of a session whose messages are not searched, usually the current session. */
  readonly excludedSessionId?: string
}

export interface SearchMemoryResponse {
  /** The messages that were found. The best match is the first. */
  readonly memories: readonly MemoryEntry[]
}

/** A message of an earlier session that a search in the long-term memory has found. */
export interface MemoryEntry {
  readonly content: MemoryContent
  readonly author?: string
  /** Time of the message in ISO 8601 format. Missing if it is unknown. */
  readonly timestamp?: string
}

/**
 * The long-term memory of users. It stores the messages of sessions, and searches all messages of
 * one user in one app (docs/memory.md). It has the same methods as a memory service of ADK.
 */
export interface MemoryService {
  addSessionToMemory(session: RememberedSession): Promise<void>
  searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse>
  /**
   * Adds messages of one session. Runners call this method after each invocation with the new
   * messages. If a service does not have this method, runners call `addSessionToMemory` with the
   * whole session.
   */
  addEventsToMemory?(added: RememberedEvents): Promise<void>
  /**
   * Deletes the memory of a user and returns the number of deleted messages. If `dryRun` is true,
   * deletes nothing and returns the number of messages that would be deleted. The function
   * `deleteUser`, which deletes all data of a user, needs this method.
   */
  deleteUser?(user: SessionUser, dryRun: boolean): Promise<number>
}
