import { describe, expect, test } from "vitest"
import type {
  AppendEventRequest,
  BaseNode,
  CreateSessionRequest,
  Event,
  GetSessionRequest,
  InvocationContext,
  ListSessionsRequest,
  ListSessionsResponse,
  Session,
} from "agent-statecharts/adk"
import {
  BaseAgent,
  BaseSessionService,
  createEvent,
  createEventActions,
  FunctionTool,
  InMemorySessionService,
  LlmAgent,
  Runner,
  stringifyContent,
} from "agent-statecharts/adk"

const text = (said: string) => ({ role: "user", parts: [{ text: said }] })

/** A session service that returns its own objects. */
class LiveSessions extends BaseSessionService {
  readonly sessions = new Map<string, Session>()

  override async createSession({
    appName,
    userId,
    state = {},
    sessionId = `s${this.sessions.size}`,
  }: CreateSessionRequest): Promise<Session> {
    const session: Session = {
      id: sessionId,
      appName,
      userId,
      state: { ...state },
      events: [],
      lastUpdateTime: 0,
    }
    this.sessions.set(sessionId, session)
    return session
  }
  override async getSession({ sessionId }: GetSessionRequest): Promise<Session | undefined> {
    return this.sessions.get(sessionId)
  }
  override async listSessions(_: ListSessionsRequest): Promise<ListSessionsResponse> {
    const sessions = [...this.sessions.values()]
    return { sessions, page: 1, limit: 9, totalItems: sessions.length, totalPages: 1 }
  }
  override async deleteSession({ sessionId }: GetSessionRequest): Promise<void> {
    this.sessions.delete(sessionId)
  }
}

/** A session service that stores JSON, as a database does. */
class StoredSessions extends LiveSessions {
  override async createSession(request: CreateSessionRequest): Promise<Session> {
    return structuredClone(await super.createSession(request))
  }
  override async getSession(request: GetSessionRequest): Promise<Session | undefined> {
    const session = await super.getSession(request)
    return session === undefined ? undefined : structuredClone(session)
  }
  override async appendEvent({ session, event }: AppendEventRequest): Promise<Event> {
    const appended = await super.appendEvent({ session, event })
    const stored = this.sessions.get(session.id)
    if (stored !== undefined)
      await super.appendEvent({
        session: stored,
        event: JSON.parse(JSON.stringify(appended)) as Event,
      })
    return appended
  }
}

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

function runnerOf(sessionService: BaseSessionService, agent: BaseNode, answers: object[] = []) {
  const seen: unknown[][] = []
  const call = async ({ messages }: Request) => {
    seen.push(messages.filter(({ role }) => role !== "system").map(({ content }) => content))
    return answers.shift() ?? { content: `answer ${seen.length}` }
  }
  const runner = new Runner({ appName: "desk", agent, sessionService, models: { small: { call } } })
  const send = async (said: string, sessionId = "s0") => {
    const events: Event[] = []
    const newMessage = text(said)
    for await (const event of runner.runAsync({ userId: "ada", sessionId, newMessage }))
      events.push(event)
    return events.map(stringifyContent)
  }
  return { runner, send, seen }
}

const agent = (tools: FunctionTool[] = []) =>
  new LlmAgent({ name: "a", model: "small", outputKey: "said", tools })

const note = new FunctionTool({
  name: "note",
  description: "Notes.",
  execute: async (_args, context) => {
    context?.state.set("user:name", "Ada")
    context?.state.set("temp:now", 1)
    await context?.saveArtifact("note.txt", { text: "blue" })
    return (await context?.loadArtifact("note.txt")) ?? null
  },
})

describe.each([
  ["that returns its objects", LiveSessions],
  ["that stores JSON", StoredSessions],
])("a session service of the user %s", (_, Sessions) => {
  test("a second runner continues the conversation that is stored in the service", async () => {
    const service = new Sessions()
    await service.createSession({ appName: "desk", userId: "ada", state: { plan: "gold" } })
    const first = runnerOf(service, agent())
    expect(await first.send("one")).toEqual(["answer 1"])
    expect(await first.send("two")).toEqual(["answer 2"])
    const second = runnerOf(service, agent())
    await second.send("three")
    expect(second.seen).toEqual([["one", "answer 1", "two", "answer 2", "three"]])
    const { state = {}, events = [] } = service.sessions.get("s0") ?? {}
    expect(state).toMatchObject({ plan: "gold", said: "answer 1" })
    expect(events.flatMap((event) => stringifyContent(event) || [])).toEqual([
      "one",
      "answer 1",
      "two",
      "answer 2",
      "three",
      "answer 1",
    ])
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    expect(events.every(({ timestamp }) => timestamp > 0)).toBe(true)
  })

  test("shared keys and artifacts are stored, and temporary keys are not", async () => {
    const service = new Sessions()
    await service.createSession({ appName: "desk", userId: "ada" })
    const call = { toolCalls: [{ id: "1", function_name: "note", function_args: {} }] }
    await runnerOf(service, agent([note]), [call]).send("Go.")
    const state = service.sessions.get("s0")?.state ?? {}
    expect(state["user:name"]).toBe("Ada")
    expect(Object.keys(state)).not.toContain("temp:now")
    const shown: unknown[] = []
    const list = new FunctionTool({
      name: "note",
      description: "Lists.",
      execute: async (_args, context) => {
        shown.push(await context?.listArtifacts(), (await context?.loadArtifact("note.txt"))?.text)
        return "ok"
      },
    })
    await runnerOf(service, agent([list]), [call]).send("Again.")
    expect(shown).toEqual([["note.txt"], "blue"])
  })

  test("keys that a run removes are removed from the session", async () => {
    class Forgetful extends BaseAgent {
      override async *runAsyncImpl({ session: { state } }: InvocationContext) {
        const has = "plan" in state
        delete state["plan"]
        yield createEvent({ author: this.name, content: text(has ? "had it" : "had nothing") })
      }
    }
    const service = new Sessions()
    await service.createSession({ appName: "desk", userId: "ada", state: { plan: "gold" } })
    const forget = () => runnerOf(service, new Forgetful({ name: "f" })).send("Go.")
    expect([await forget(), await forget()]).toEqual([["had it"], ["had nothing"]])
  })

  test("a run continues a conversation with events that another program has stored", async () => {
    const service = new Sessions()
    const session = await service.createSession({ appName: "desk", userId: "ada" })
    await service.appendEvent({
      session,
      event: createEvent({
        id: "old",
        author: "a",
        content: { role: "model", parts: [{ text: "We met before." }] },
        actions: createEventActions({ stateDelta: { mood: "good", "temp:x": 1 } }),
      }),
    })
    const { send, seen } = runnerOf(service, agent())
    await send("Hi.")
    expect(seen).toEqual([["We met before.", "Hi."]])
    expect(service.sessions.get("s0")?.state).toEqual({ mood: "good", said: "answer 1" })
  })

  test("an unknown session is refused", async () => {
    await expect(runnerOf(new Sessions(), agent()).send("Hi.", "ghost")).rejects.toMatchObject({
      code: "session_unknown",
    })
  })

  test("runEphemeral creates and deletes a session", async () => {
    const service = new Sessions()
    const { runner } = runnerOf(service, agent())
    for await (const _event of runner.runEphemeral({ userId: "ada", newMessage: text("Hi.") }))
      expect(service.sessions.size).toBe(1)
    expect(service.sessions.size).toBe(0)
  })
})

describe("InMemorySessionService", () => {
  test("appendEvent changes the state and the conversation of the session", async () => {
    const service = new InMemorySessionService()
    const key = { appName: "desk", userId: "ada", sessionId: "s0" }
    const session = await service.createSession(key)
    const event = createEvent({
      author: "user",
      content: text("I am Ada."),
      actions: createEventActions({ stateDelta: { name: "Ada", "temp:x": 1, "user:lang": "en" } }),
    })
    await service.appendEvent({ session, event })
    await service.appendEvent({ session, event: { ...event, partial: true } })
    expect(session.state).toEqual({ name: "Ada", "user:lang": "en" })
    const stored = await service.getSession(key)
    expect(stored?.state).toEqual({ name: "Ada", "user:lang": "en" })
    expect(stored?.events.map(stringifyContent)).toEqual(["I am Ada."])
    const { send, seen } = runnerOf(service, agent())
    await send("Hi.")
    expect(seen).toEqual([["I am Ada.", "Hi."]])
    await expect(
      service.appendEvent({ session: { ...session, id: "ghost" }, event }),
    ).rejects.toMatchObject({ code: "session_unknown" })
  })

  test("getSession returns all events, the newest events, or the events since a time", async () => {
    const service = new InMemorySessionService()
    const key = { appName: "desk", userId: "ada", sessionId: "s0" }
    const session = await service.createSession(key)
    for (const time of [10, 20, 30])
      await service.appendEvent({
        session,
        event: createEvent({ author: "user", content: text(`at ${time}`), timestamp: time }),
      })
    const read = async (config: GetSessionRequest["config"]) =>
      (await service.getSession({ ...key, ...(config && { config }) }))?.events.map(
        stringifyContent,
      )
    expect(await read(undefined)).toEqual(["at 10", "at 20", "at 30"])
    expect(await read({ numRecentEvents: 2 })).toEqual(["at 20", "at 30"])
    expect(await read({ afterTimestamp: 20 })).toEqual(["at 20", "at 30"])
    expect(await read({ numRecentEvents: 2, afterTimestamp: 25 })).toEqual(["at 30"])
  })

  test("listSessions returns pages", async () => {
    const service = new InMemorySessionService()
    for (const sessionId of ["a", "b", "c", "d", "e"])
      await service.createSession({ appName: "desk", userId: "ada", sessionId })
    const list = async (request: Omit<ListSessionsRequest, "appName">) => {
      const { sessions, ...page } = await service.listSessions({ appName: "desk", ...request })
      return [sessions.map(({ id }) => id).join(""), ...Object.values(page)]
    }
    expect((await list({})).slice(1)).toEqual([1, 5, 5, 1])
    expect(await list({ order: "asc", limit: 2, page: 3 })).toEqual(["e", 3, 2, 5, 3])
    expect(await list({ order: "asc", limit: 2, offset: 2 })).toEqual(["cd", 2, 2, 5, 3])
    expect(await list({ userId: "bob", limit: 2 })).toEqual(["", 1, 2, 0, 0])
  })
})
