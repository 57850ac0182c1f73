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
import { sessionUnknown } from "../../runtime/session/session-conflicts.js"
import { contentOf, messagesOf } from "../events/message-parts.js"
import type { Event } from "../events/event.js"
import { createEvent } from "../events/event.js"
import type {
  AppendEventRequest,
  CreateSessionRequest,
  GetSessionRequest,
  ListSessionsRequest,
  ListSessionsResponse,
  Session,
} from "./base-session-service.js"
import {
  BaseSessionService,
  pageOf,
  selectedEvents,
  sessionMissing,
} from "./base-session-service.js"
import { withoutSystemKeys } from "./system-keys.js"
import { UserSessions } from "./user-sessions.js"

/**
 * Symbol key of the internal parts of a session service that its runner uses: the store, the clock
 * and the id generator.
 */
export const sessionParts: unique symbol = Symbol("sessionParts")

/**
 * A service that creates, reads and deletes sessions in ADK's format. The sessions are stored in a
 * session store.
 */
export class SessionService extends BaseSessionService {
  readonly #store: SessionStore
  readonly #clock: Clock
  readonly #ids: Ids
  /** The events of each session to which this process has added events, by session. */
  readonly #events = new Map<string, Event[]>()

  constructor(store: SessionStore, clock: Clock, ids: Ids) {
    super()
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

  async getSession({
    appName,
    userId,
    sessionId,
    config,
  }: GetSessionRequest): Promise<Session | undefined> {
    const stored = await this.#store.load({ appName, userId, sessionId })
    if (stored === null) return undefined
    const session = sessionOf(stored)
    const events = this.#events.get(keyOf(stored)) ?? session.events
    return { ...session, events: selectedEvents(events, config) }
  }

  /** Adds an event to the session object and to the stored session. */
  override async appendEvent({ session, event }: AppendEventRequest): Promise<Event> {
    if (event.partial === true) return event
    const { appName, userId, id: sessionId } = session
    const key = { appName, userId, sessionId }
    const stored = await this.#store.load(key)
    if (stored === null) throw sessionUnknown(key)
    await this.#known(key)
    const appended = await super.appendEvent({ session, event })
    const { content, author, actions } = appended
    const messages = content === undefined ? [] : messagesOf(content)
    await this.#store.save(key, {
      runId: this.#ids.next(),
      records: 1,
      version: stored.version,
      set: structuredClone(actions.stateDelta),
      removed: [],
      said: {
        from: stored.history.length,
        entries: messages.map((message) => ({ author, message })),
      },
      artifacts: {},
      activeAgent: stored.activeAgent,
      at: this.#clock.now(),
    })
    await this.record(key, appended)
    return appended
  }

  /**
   * Adds an event to the list of events that `getSession` returns. The list exists only in the
   * process that has added the events. Without a list, `getSession` returns the messages of the
   * stored history as events.
   *
   * @internal
   */
  async record(key: SessionKey, event: Event): Promise<void> {
    const known = await this.#known(key)
    known.push(event)
  }

  async #known(key: SessionKey): Promise<Event[]> {
    const known = this.#events.get(keyOf(key))
    if (known !== undefined) return known
    const stored = await this.#store.load(key)
    const events = stored === null ? [] : sessionOf(stored).events
    this.#events.set(keyOf(key), events)
    return events
  }

  async listSessions(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { appName, userId } = request
    const stored = await this.#store.list(userId === undefined ? { appName } : { appName, userId })
    const sessions = stored.map(({ sessionId: id, updatedAt, ...owner }) => ({
      id,
      appName: owner.appName,
      userId: owner.userId,
      state: {},
      events: [],
      lastUpdateTime: updatedAt,
    }))
    return pageOf(sessions, request)
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
    if ((await this.#store.load(key)) === null) throw sessionMissing(key)
    // The run will store messages, so load the earlier events before it starts.
    await this.#known(key)
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

/** The operations and parts of a session service that a runner uses. */
export interface SessionAccess extends Pick<SessionService, "expect" | "record"> {
  readonly parts: SessionService[typeof sessionParts]
  /** Removes a session from memory. Must be called after an invocation in this session ends. */
  close(key: SessionKey): void
}

/**
 * Returns the functions with which a runner reads and writes the sessions of a session service.
 * Accepts the session services of this package and custom ones.
 */
export function sessionAccess(service: BaseSessionService): SessionAccess {
  if (service instanceof SessionService)
    return {
      parts: service[sessionParts],
      expect: (key) => service.expect(key),
      record: (key, event) => service.record(key, event),
      close: () => {},
    }
  const sessions = new UserSessions(service, systemClock, randomIds)
  return {
    parts: { sessions, clock: systemClock, ids: randomIds },
    expect: (key) => sessions.expect(key),
    record: (key, event) => sessions.record(key, event),
    close: (key) => sessions.close(key),
  }
}
