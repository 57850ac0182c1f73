import { AgentStatechartsError } from "../../errors.js"
import type { SessionKey } from "../../runtime/journal/session-store.js"
import { State } from "../context/state.js"
import type { Event } from "../events/event.js"

/** A snapshot of a conversation between a user and an app. */
export interface Session {
  readonly id: string
  readonly appName: string
  readonly userId: string
  /**
   * The session state, including `user:` and `app:` keys. Empty in the results of `listSessions`.
   */
  readonly state: Record<string, unknown>
  /** The events of the session, oldest first. Empty in the results of `listSessions`. */
  readonly events: Event[]
  /** Time of the last update, in milliseconds since the epoch. */
  lastUpdateTime: number
}

export interface CreateSessionRequest {
  readonly appName: string
  readonly userId: string
  readonly state?: Readonly<Record<string, unknown>>
  /** Id of the new session. Default: a generated id. */
  readonly sessionId?: string
}

/** Selects the events that `getSession` returns. Default: all events. */
export interface GetSessionConfig {
  /**
   * Maximum number of events to return. If the session has more events, the newest are returned. 0
   * means no maximum.
   */
  readonly numRecentEvents?: number
  /** Earliest time of the returned events, in milliseconds since the epoch. */
  readonly afterTimestamp?: number
}

export interface GetSessionRequest extends SessionKey {
  readonly config?: GetSessionConfig
}

export type DeleteSessionRequest = SessionKey

export interface ListSessionsRequest {
  readonly appName: string
  /** The user whose sessions are listed. Default: all users. */
  readonly userId?: string
  /** Maximum number of sessions to return. Default: all sessions. */
  readonly limit?: number
  /** Index of the first session to return. Ignored if `page` is set. */
  readonly offset?: number
  /** Number of the page to return, counted from 1. Requires `limit`. */
  readonly page?: number
  /**
   * Sort order by the time of the last update. `asc` lists the oldest update first. Default: the
   * order of the session service.
   */
  readonly order?: "asc" | "desc"
}

export interface ListSessionsResponse {
  /** The sessions on this page, without their state and events. */
  readonly sessions: Session[]
  /** Number of this page, counted from 1. */
  readonly page: number
  /**
   * Maximum number of sessions on a page. If the request has no `limit`, all sessions are on one
   * page, and this is their total number.
   */
  readonly limit: number
  readonly totalItems: number
  readonly totalPages: number
}

export interface AppendEventRequest {
  readonly session: Session
  readonly event: Event
}

/**
 * Base class of session services. Extend this class to store sessions in your own database, and
 * pass an instance to a `Runner`. The default `appendEvent` changes only the session object. If
 * `getSession` returns copies, override `appendEvent` to store the event.
 *
 * @example
 * class Sessions extends BaseSessionService {
 *   override async appendEvent({ session, event }: AppendEventRequest) {
 *     const appended = await super.appendEvent({ session, event })
 *     await database.insert("events", { session: session.id, event: JSON.stringify(appended) })
 *     return appended
 *   }
 *   ...
 * }
 */
export abstract class BaseSessionService {
  abstract createSession(request: CreateSessionRequest): Promise<Session>
  /**
   * Returns a stored session with its state and events. Returns undefined if the session does not
   * exist.
   */
  abstract getSession(request: GetSessionRequest): Promise<Session | undefined>
  abstract listSessions(request: ListSessionsRequest): Promise<ListSessionsResponse>
  abstract deleteSession(request: DeleteSessionRequest): Promise<void>

  /** Returns a stored session. Creates the session if it does not exist. */
  async getOrCreateSession(request: CreateSessionRequest): Promise<Session> {
    const { appName, userId, sessionId } = request
    const known =
      sessionId === undefined ? undefined : await this.getSession({ appName, userId, sessionId })
    return known ?? this.createSession(request)
  }

  /**
   * Adds an event to a session object and applies its `stateDelta`, except for `temp:` keys. If the
   * session already contains an event with the same id, replaces that event. Ignores partial
   * events.
   */
  async appendEvent({ session, event }: AppendEventRequest): Promise<Event> {
    if (event.partial === true) return event
    const appended = withoutTemporary(event)
    for (const [key, value] of Object.entries(appended.actions.stateDelta))
      Object.defineProperty(session.state, key, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      })
    const known =
      appended.id === "" ? -1 : session.events.findLastIndex(({ id }) => id === appended.id)
    if (known === -1) session.events.push(appended)
    else session.events[known] = appended
    return appended
  }
}

function withoutTemporary(event: Event): Event {
  const kept = Object.entries(event.actions.stateDelta).filter(
    ([key]) => !key.startsWith(State.TEMP_PREFIX),
  )
  return { ...event, actions: { ...event.actions, stateDelta: Object.fromEntries(kept) } }
}

/** Returns the error that is thrown if the session of an invocation does not exist. */
export const sessionMissing = ({ appName, userId, sessionId }: SessionKey): AgentStatechartsError =>
  new AgentStatechartsError(
    "session_unknown",
    `the session "${sessionId}" of the user "${userId}" in the app "${appName}" does not exist; create it with sessionService.createSession`,
  )

/** Returns the events that the `config` of a `getSession` request selects. */
export function selectedEvents(
  events: readonly Event[],
  { numRecentEvents, afterTimestamp }: GetSessionConfig = {},
): Event[] {
  const newest =
    numRecentEvents === undefined || numRecentEvents === 0
      ? [...events]
      : events.slice(-numRecentEvents)
  if (afterTimestamp === undefined) return newest
  return newest.slice(newest.findLastIndex(({ timestamp }) => timestamp < afterTimestamp) + 1)
}

/** Sorts a list of sessions and returns one page of it. */
export function pageOf(
  all: readonly Session[],
  { limit, offset = 0, page, order }: ListSessionsRequest,
): ListSessionsResponse {
  const sorted =
    order === undefined
      ? all
      : all.toSorted(
          (one, other) =>
            (order === "asc" ? 1 : -1) *
            (one.lastUpdateTime - other.lastUpdateTime || one.id.localeCompare(other.id)),
        )
  const totalItems = sorted.length
  if (limit === undefined)
    return {
      sessions: sorted.slice(offset),
      page: 1,
      limit: totalItems,
      totalItems,
      totalPages: totalItems === 0 ? 0 : 1,
    }
  const start = page === undefined ? offset : (page - 1) * limit
  return {
    sessions: sorted.slice(start, start + limit),
    page: page ?? (limit === 0 ? 1 : Math.floor(start / limit) + 1),
    limit,
    totalItems,
    totalPages: limit === 0 ? 0 : Math.ceil(totalItems / limit),
  }
}
