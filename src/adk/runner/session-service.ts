import { AgentStatechartsError } from "../../errors.js"
import type { Clock } from "../../runtime/driver/host.js"
import { memorySessionStore } from "../../runtime/host/memory-session-store.js"
import type { Ids } from "../../runtime/host/random-ids.js"
import { randomIds } from "../../runtime/host/random-ids.js"
import { systemClock } from "../../runtime/host/system-clock.js"
import type {
  SessionKey,
  SessionStore,
  StoredSession,
} from "../../runtime/journal/session-store.js"
import { contentOf } from "../events/message-parts.js"
import type { Event } from "../events/event.js"
import { createEvent } from "../events/event.js"
import { withoutSystemKeys } from "./system-keys.js"

/** A snapshot of a conversation between a user and an app. */
export interface Session {
  readonly id: string
  readonly appName: string
  readonly userId: string
  /**
   * The session state, including `user:` and `app:` keys. Empty if the session comes from a list.
   */
  readonly state: Record<string, unknown>
  /** The messages of the session, oldest first. Empty if the session comes from a list. */
  readonly events: readonly Event[]
  /** Time of the last update, in milliseconds since the epoch. */
  readonly lastUpdateTime: number
}

export interface CreateSessionRequest {
  readonly appName: string
  readonly userId: string
  readonly state?: Readonly<Record<string, unknown>>
  /** Id of the new session. Default: a random id. */
  readonly sessionId?: string
}

export interface ListSessionsResponse {
  /** The matching sessions, without their state and events. */
  readonly sessions: readonly Session[]
}

/**
 * Symbol key of the internals that a session service shares with its runner: the store, the clock
 * and the id generator.
 */
export const sessionParts: unique symbol = Symbol("sessionParts")

/**
 * Creates, reads and deletes sessions in ADK's format. The sessions are stored in a session store.
 */
export class SessionService {
  readonly #store: SessionStore
  readonly #clock: Clock
  readonly #ids: Ids
  /** The events of sessions that runners of this process have extended, by session. */
  readonly #events = new Map<string, Event[]>()

  constructor(store: SessionStore, clock: Clock, ids: Ids) {
    this.#store = store
    this.#clock = clock
    this.#ids = ids
  }

  /** @internal */
  get [sessionParts](): {
    readonly sessions: SessionStore
    readonly clock: Clock
    readonly ids: Ids
  } {
    return { sessions: this.#store, clock: this.#clock, ids: this.#ids }
  }

  /** Returns the session. If it does not exist, creates it. */
  async getOrCreateSession(request: CreateSessionRequest): Promise<Session> {
    const { appName, userId, sessionId } = request
    const known =
      sessionId === undefined ? undefined : await this.getSession({ appName, userId, sessionId })
    return known ?? this.createSession(request)
  }

  async createSession({
    appName,
    userId,
    state = {},
    sessionId = this.#ids.next(),
  }: CreateSessionRequest): Promise<Session> {
    return sessionOf(
      await this.#store.create({ appName, userId, sessionId }, state, this.#clock.now()),
    )
  }

  async getSession({ appName, userId, sessionId }: SessionKey): Promise<Session | undefined> {
    const stored = await this.#store.load({ appName, userId, sessionId })
    if (stored === null) return undefined
    const events = this.#events.get(keyOf(stored))
    return events === undefined ? sessionOf(stored) : { ...sessionOf(stored), events: [...events] }
  }

  /**
   * Adds an event to the events that `getSession` returns. Sessions that this process has not
   * extended contain the messages of the stored history instead.
   *
   * @internal
   */
  async record(key: SessionKey, event: Event): Promise<void> {
    const known = this.#events.get(keyOf(key))
    if (known !== undefined) {
      known.push(event)
      return
    }
    const stored = await this.#store.load(key)
    const earlier = stored === null ? [] : sessionOf(stored).events
    this.#events.set(keyOf(key), [...earlier, event])
  }

  async listSessions({
    appName,
    userId,
  }: {
    readonly appName: string
    readonly userId?: string
  }): Promise<ListSessionsResponse> {
    const stored = await this.#store.list(userId === undefined ? { appName } : { appName, userId })
    return {
      sessions: stored.map(({ sessionId: id, updatedAt, ...owner }) => ({
        id,
        appName: owner.appName,
        userId: owner.userId,
        state: {},
        events: [],
        lastUpdateTime: updatedAt,
      })),
    }
  }

  async deleteSession({ appName, userId, sessionId }: SessionKey): Promise<void> {
    await this.#store.delete({ appName, userId, sessionId })
    this.#events.delete(keyOf({ appName, userId, sessionId }))
  }

  /**
   * Throws if the session does not exist.
   *
   * @throws AgentStatechartsError `session_unknown`.
   * @internal
   */
  async expect(key: SessionKey): Promise<void> {
    if ((await this.#store.load(key)) !== null) return
    throw new AgentStatechartsError(
      "session_unknown",
      `the session "${key.sessionId}" of the user "${key.userId}" in the app "${key.appName}" does not exist; create it with sessionService.createSession`,
    )
  }
}

/** A session service that stores sessions in the memory of this process. */
export class InMemorySessionService extends SessionService {
  constructor() {
    super(memorySessionStore(), systemClock, randomIds)
  }
}

const keyOf = ({ appName, userId, sessionId }: SessionKey): string =>
  JSON.stringify([appName, userId, sessionId])

const sessionOf = ({
  sessionId: id,
  appName,
  userId,
  state,
  history,
  updatedAt,
}: StoredSession): Session => ({
  id,
  appName,
  userId,
  state: withoutSystemKeys(state),
  events: history.flatMap(({ author, message }, index) =>
    message.role === "system"
      ? []
      : [createEvent({ id: `${id}-${index}`, author, content: contentOf(message) })],
  ),
  lastUpdateTime: updatedAt,
})
