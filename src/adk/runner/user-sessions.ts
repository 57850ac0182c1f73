import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { History } from "../../machines/contract/history.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { Ids } from "../../runtime/host/random-ids.js"
import type { Clock } from "../../runtime/driver/host.js"
import type {
  SavedBy,
  SessionChanges,
  SessionKey,
  SessionStore,
  StoredSession,
} from "../../runtime/journal/session-store.js"
import { isToBeStored, sessionUnknown } from "../../runtime/session/session-conflicts.js"
import { State } from "../context/state.js"
import type { Event } from "../events/event.js"
import { createEvent } from "../events/event.js"
import { createEventActions } from "../events/event-actions.js"
import { messagesOf } from "../events/message-parts.js"
import type { BaseSessionService, Session } from "./base-session-service.js"
import { withoutSystemKeys } from "./system-keys.js"
import { sessionMissing } from "./base-session-service.js"

/**
 * Key in the `customMetadata` of an event. Its value is the session data that ADK's sessions do not
 * contain, such as the history and the artifacts.
 */
const metadataKey = "agent_statecharts"

/** The data of a stored session that ADK's sessions do not contain. */
interface RunPart {
  readonly history: History
  readonly artifacts: Artifacts
  readonly activeAgent: string | null
  readonly version: number
  readonly savedBy: SavedBy | null
  /** Values of the system keys of this package, which are not in ADK's session state. */
  readonly hidden: Readonly<Record<string, unknown>>
  /**
   * State keys that a run has removed. In ADK's session services, these keys have the value null,
   * because the services cannot remove keys.
   */
  readonly removed: ReadonlySet<string>
}

/**
 * A session store for runs that uses a custom session service, which is not part of this package.
 * It stores all data with `appendEvent`. The events that a run yields are stored unchanged. All
 * other changes of the run are stored in an additional event without content.
 */
export class UserSessions implements SessionStore {
  readonly #service: BaseSessionService
  readonly #clock: Clock
  readonly #ids: Ids
  /**
   * The sessions of the active invocations, by session key. These objects change when events are
   * appended.
   */
  readonly #open = new Map<string, Session>()

  constructor(service: BaseSessionService, clock: Clock, ids: Ids) {
    this.#service = service
    this.#clock = clock
    this.#ids = ids
  }

  async create(
    { appName, userId, sessionId }: SessionKey,
    state: Readonly<Record<string, unknown>>,
  ): Promise<StoredSession> {
    return storedSession(
      await this.#service.createSession({ appName, userId, sessionId, state: { ...state } }),
    )
  }

  async load(key: SessionKey): Promise<StoredSession | null> {
    const session = await this.#session(key)
    return session === undefined ? null : storedSession(session)
  }

  async save(key: SessionKey, changes: SessionChanges): Promise<void> {
    const session = await this.#session(key)
    if (session === undefined) throw sessionUnknown(key)
    if (!isToBeStored(key, runPartOf(session), changes)) return
    const { set, removed, ...others } = changes
    const cleared = Object.fromEntries(removed.map((name) => [name, null]))
    const shown = withoutSystemKeys({ ...set, ...cleared })
    const hidden = Object.fromEntries(
      Object.entries(set).filter(([name]) => !Object.hasOwn(shown, name)),
    )
    const event = createEvent({
      author: "system",
      invocationId: changes.runId,
      actions: createEventActions({ stateDelta: structuredClone(shown) }),
      customMetadata: { [metadataKey]: structuredClone({ ...others, hidden, removed }) },
    })
    await this.#append(session, event)
  }

  async list(owner: {
    readonly appName: string
    readonly userId?: string
  }): Promise<readonly (SessionKey & Omit<StoredSession, "state" | "history" | "artifacts">)[]> {
    const { sessions } = await this.#service.listSessions(owner)
    return sessions.map(({ id: sessionId, appName, userId, lastUpdateTime: updatedAt }) => ({
      appName,
      userId,
      sessionId,
      activeAgent: null,
      version: 0,
      savedBy: null,
      updatedAt,
    }))
  }

  async delete({ appName, userId, sessionId }: SessionKey): Promise<void> {
    await this.#service.deleteSession({ appName, userId, sessionId })
  }

  /**
   * Reads the session for a new invocation and keeps it in memory until `close`.
   *
   * @throws AgentStatechartsError `session_unknown` if the session does not exist.
   */
  async expect(key: SessionKey): Promise<void> {
    this.#open.delete(keyOf(key))
    if ((await this.#session(key)) === undefined) throw sessionMissing(key)
  }

  /** Stores an event that a run has yielded in the session. */
  async record(key: SessionKey, event: Event): Promise<void> {
    const session = await this.#session(key)
    if (session === undefined) throw sessionUnknown(key)
    const { customMetadata } = event
    await this.#append(session, {
      ...event,
      customMetadata: { ...customMetadata, [metadataKey]: { isYielded: true } },
    })
  }

  /**
   * Removes the session of an ended invocation from memory. The session service still stores the
   * session.
   */
  close(key: SessionKey): void {
    this.#open.delete(keyOf(key))
  }

  async #append(session: Session, event: Event): Promise<void> {
    const { id, timestamp } = event
    const now = timestamp === 0 ? this.#clock.now() : timestamp
    // Session services store only one event for each id, so every event needs a unique id.
    const stored = { ...event, id: id === "" ? this.#ids.next() : id, timestamp: now }
    await this.#service.appendEvent({ session, event: stored })
  }

  async #session({ appName, userId, sessionId }: SessionKey): Promise<Session | undefined> {
    const key = keyOf({ appName, userId, sessionId })
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const session = await this.#service.getSession({ appName, userId, sessionId })
    if (session !== undefined) this.#open.set(key, session)
    return session
  }
}

const keyOf = ({ appName, userId, sessionId }: SessionKey): string =>
  JSON.stringify([appName, userId, sessionId])

function storedSession(session: Session): StoredSession {
  const { id: sessionId, appName, userId, state, lastUpdateTime: updatedAt } = session
  const { removed, hidden, ...part } = runPartOf(session)
  const isKept = ([key, value]: readonly [string, unknown]): boolean =>
    !key.startsWith(State.TEMP_PREFIX) && !(value === null && removed.has(key))
  return structuredClone({
    appName,
    userId,
    sessionId,
    updatedAt,
    state: { ...Object.fromEntries(Object.entries(state).filter(isKept)), ...hidden },
    ...part,
  })
}

/**
 * Reconstructs the session data that ADK's sessions do not contain, such as the history, from the
 * events of a session.
 */
function runPartOf({ events }: Session): RunPart {
  const history: History[number][] = []
  const removed = new Set<string>()
  const hidden: Record<string, unknown> = {}
  let part: Omit<RunPart, "history" | "hidden" | "removed"> = {
    artifacts: {},
    activeAgent: null,
    version: 0,
    savedBy: null,
  }
  for (const { author, content, customMetadata } of events) {
    const metadata = customMetadata?.[metadataKey]
    if (metadata === undefined) {
      // This event was added by the user or by another program, and not by a run.
      for (const message of content === undefined ? [] : messagesOf(content))
        history.push({ author, message })
      continue
    }
    if (!isJsonObject(metadata) || metadata["isYielded"] === true) continue
    // The assertion is safe, because only `save` writes this metadata.
    const saved = metadata as unknown as Omit<SessionChanges, "set"> & Pick<RunPart, "hidden">
    history.splice(saved.said.from, Infinity, ...saved.said.entries)
    for (const key of saved.removed) {
      removed.add(key)
      delete hidden[key]
    }
    Object.assign(hidden, saved.hidden)
    part = {
      artifacts: { ...part.artifacts, ...saved.artifacts },
      activeAgent: saved.activeAgent,
      version: part.version + 1,
      savedBy: { runId: saved.runId, records: saved.records },
    }
  }
  return { history, hidden, removed, ...part }
}
