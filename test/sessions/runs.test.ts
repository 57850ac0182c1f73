import { describe, expect, test } from "vitest"
import type { ModelRequest } from "../../src/machines/contract/services.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { memorySessionStore } from "../../src/runtime/host/memory-session-store.js"
import type { Run } from "../../src/runtime/run/run.js"
import type { Journal, StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { SessionStore, StoredSession } from "../../src/runtime/journal/session-store.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"
import type { Script } from "../support/scripted-services.js"
import { scriptedServices } from "../support/scripted-services.js"

const adk = { dialect: "adk", initialUserInput: "hello" }
const session = { appName: "shop", userId: "ann", sessionId: "s1" }
const chart = chartOf([llm("desk", { instruction: "Greet." })], {
  ...adk,
  state: { plan: "a", "user:lang": "fi" },
})

const contents = ({ messages }: ModelRequest) =>
  messages.map(
    ({ role, content }) =>
      `${role}: ${typeof content === "string" ? content : JSON.stringify(content)}`,
  )
const loaded = async (store: SessionStore, key = session) =>
  (await store.load(key)) as StoredSession

const later = async <Value>(act: () => Value): Promise<Awaited<Value>> => {
  await new Promise(setImmediate)
  return await act()
}

/** Returns an in-memory store that responds asynchronously, like a store on a network. */
function lateStore(store = memorySessionStore()): SessionStore {
  return {
    create: (key, state, at) => later(() => store.create(key, state, at)) as Promise<StoredSession>,
    load: (key) => later(() => store.load(key)) as Promise<StoredSession | null>,
    save: (key, changes) => later(() => store.save(key, changes)),
    list: (owner) => later(() => store.list(owner)) as ReturnType<SessionStore["list"]>,
    delete: (key) => later(() => store.delete(key)),
  }
}

/** Returns an in-memory journal that stores asynchronously. */
function lateJournal(journal = memoryJournal()): Journal {
  return {
    create: (header) => later(() => journal.create(header)),
    append: (runId, record) => later(() => journal.append(runId, record)),
    load: (runId) => later(() => journal.load(runId)) as Promise<StoredRun | null>,
  }
}

const eventsOf = (run: Run): RunEvent[] => {
  const events: RunEvent[] = []
  run.events$.subscribe((event) => events.push(event))
  return events
}

const greeting = 'system: You are the agent "desk".\n\nGreet.'

/** Returns services whose calls wait until `letThrough` is called. */
function heldServices(models: Script) {
  const waiting: (() => void)[] = []
  const services = scriptedServices(
    models,
    {},
    () => new Promise((resolve) => waiting.push(resolve)),
  )
  const letThrough = async (): Promise<void> => {
    while (waiting.length === 0) await new Promise(setImmediate)
    waiting.shift()?.()
  }
  return { ...services, letThrough }
}

describe.each([
  ["a synchronous store", memorySessionStore],
  ["an asynchronous store", lateStore],
])("runs in a session, with %s", (_, open) => {
  test("the next run continues with the history and the state", async () => {
    const [services, sessions] = [
      scriptedServices({ desk: [{ content: "hi" }, { content: "bye" }] }),
      open(),
    ]
    const runner = createRunner({ ...services, sessions })
    await runner.start(chart, { session, state: { mood: "good" } }).result
    expect(await loaded(sessions)).toMatchObject({
      state: {
        plan: "a",
        "user:lang": "fi",
        mood: "good",
        desk_text: "hi",
        _user_message_count: 1,
      },
      version: 1,
    })
    const { state } = await runner.start(chart, {
      session,
      prompt: "and now?",
      state: { mood: "bad" },
    }).result
    expect(services.modelCalls.map(contents)).toEqual([
      [greeting, "user: hello"],
      [greeting, "user: hello", "assistant: hi", "user: and now?"],
    ])
    expect(state).toMatchObject({
      plan: "a",
      mood: "bad",
      desk_text: "bye",
      _user_message_count: 2,
    })
    expect(await loaded(sessions)).toMatchObject({ state, version: 2 })
    expect((await loaded(sessions)).history.map(({ author }) => author)).toEqual([
      "user",
      "desk",
      "user",
      "desk",
    ])
  })

  test("the state of the config initializes a new session, and never changes existing or shared state", async () => {
    const [services, sessions] = [scriptedServices({ desk: [{ content: "hi" }] }), open()]
    const runner = createRunner({ ...services, sessions })
    await sessions.create({ ...session, sessionId: "empty" }, { "user:lang": "sv" }, 1)
    expect(
      (await runner.start(chart, { session: { ...session, sessionId: "empty" } }).result).state,
    ).not.toHaveProperty("plan")
    expect((await runner.start(chart, { session }).result).state).toMatchObject({
      plan: "a",
      "user:lang": "sv",
    })
    await runner.start(chart, { session, state: { plan: "b" } }).result
    expect((await runner.start(chart, { session }).result).state).toMatchObject({
      plan: "b",
      "user:lang": "sv",
    })
  })

  test("two runs in a session are executed one after the other, and a run in another session does not wait", async () => {
    const { letThrough, ...services } = heldServices({
      desk: [{ content: "1" }, { content: "2" }, { content: "3" }],
    })
    const runner = createRunner({ ...services, sessions: open() })
    const [first, second] = [
      runner.start(chart, { session }),
      runner.start(chart, { session, prompt: "second" }),
    ]
    const other = runner.start(chart, { session: { ...session, sessionId: "s2" } })
    await letThrough()
    expect([
      (await first.result).text,
      second.snapshot().status,
      services.modelCalls.length >= 2,
    ]).toEqual(["1", "running", true])
    await letThrough()
    await letThrough()
    await Promise.all([second.result, other.result])
    const ofSecond = services.modelCalls.find(({ runId }) => runId === second.runId)
    expect(ofSecond === undefined ? [] : contents(ofSecond)).toEqual([
      greeting,
      "user: hello",
      "assistant: 1",
      "user: second",
    ])
  })

  test("an idle run ends when the next run of its session starts, and accepts no further messages", async () => {
    const runner = createRunner({
      ...scriptedServices({ desk: [{ content: "hi" }] }),
      sessions: open(),
    })
    const first = runner.start(chart, { session })
    const events = eventsOf(first)
    await first.result
    expect(events.at(-1)).toMatchObject({ type: "invocation.finished" })
    first.say("more")
    await first.result
    const second = runner.start(chart, { session, prompt: "second" })
    expect(() => first.say("too late")).toThrow(expect.objectContaining({ code: "run_finished" }))
    await second.result
    expect(events.filter(({ type }) => type === "run.finished")).toMatchObject([
      { result: { status: "completed", text: "hi" } },
    ])
    expect(second.snapshot().state["_user_message_count"]).toBe(3)
  })

  test("a waiting run blocks its session, and a queued run that is cancelled is not stored", async () => {
    const asking = chartOf(
      [sequence("line", ["who", "desk"]), human("who"), llm("desk", { instruction: "Greet." })],
      adk,
    )
    const [journal, services, sessions] = [
      memoryJournal(),
      scriptedServices({ desk: [{ content: "hi" }] }),
      open(),
    ]
    const runner = createRunner({ ...services, sessions, journal })
    const first = runner.start(asking, { session, runId: "first" })
    const [second, third] = ["second", "third"].map((runId) =>
      runner.start(chart, { session, runId, prompt: runId }),
    ) as [Run, Run]
    await first.whenSettled()
    const told = eventsOf(second)
    second.cancel()
    expect(await second.result).toMatchObject({ status: "cancelled", state: {} })
    expect(told.map(({ type }) => type)).toEqual(["run.started", "run.finished"])
    expect([first.snapshot().status, third.snapshot().status]).toEqual(["waiting", "running"])
    first.answer(first.pending()[0]?.id ?? "", "Ann")
    await third.result
    expect(Object.keys(journal.toJSON())).toEqual(["first", "third"])
    expect((await loaded(sessions)).state).toMatchObject({
      who_answer: "Ann",
      _user_message_count: 2,
    })
  })

  test("the changes of a failed or cancelled run are stored", async () => {
    const line = chartOf([sequence("line", ["one", "two"]), llm("one"), llm("two")], adk)
    const [services, sessions] = [
      scriptedServices({ one: [{ content: "1" }], two: [{ status: 400 }] }),
      open(),
    ]
    const runner = createRunner({ ...services, sessions })
    expect((await runner.start(line, { session }).result).status).toBe("failed")
    expect(await loaded(sessions)).toMatchObject({ state: { one_text: "1" }, version: 1 })
    const held = heldServices({ one: [{ content: "2" }], two: [{ content: "3" }] })
    const run = createRunner({ ...held, sessions }).start(line, { session })
    await held.letThrough()
    while (held.modelCalls.length < 2) await new Promise(setImmediate)
    run.cancel()
    expect((await run.result).status).toBe("cancelled")
    expect((await loaded(sessions)).state).toMatchObject({ one_text: "2" })
  })

  test("a run does not overwrite shared keys that other sessions have changed in the meantime", async () => {
    const { letThrough, ...services } = heldServices({ desk: [{ content: "1" }] })
    const sessions = open()
    await sessions.create({ ...session, sessionId: "s0" }, { "user:lang": "sv" }, 1)
    const run = createRunner({ ...services, sessions }).start(chart, {
      session,
      state: { "app:mine": 1 },
    })
    while (services.modelCalls.length === 0) await new Promise(setImmediate)
    await createRunner({ ...scriptedServices({ desk: [{ content: "x" }] }), sessions }).start(
      chart,
      { session: { ...session, sessionId: "s2" }, state: { "user:lang": "no", "app:theirs": 2 } },
    ).result
    await letThrough()
    await run.result
    expect((await loaded(sessions)).state).toMatchObject({
      "user:lang": "no",
      "app:mine": 1,
      "app:theirs": 2,
    })
  })

  test("the active agent of a team is also active in the next run, if the chart has it", async () => {
    const team = (id: string) =>
      chartOf(
        [
          llm("desk", {
            instruction: "i",
            subAgents: [llm(id, { instruction: "i", description: "bills" })],
          }),
        ],
        adk,
      )
    const transfer = {
      content: null,
      toolCalls: [
        { id: "t", function_name: "transfer_to_agent", function_args: { agent_name: "billing" } },
      ],
    }
    const [services, sessions] = [
      scriptedServices({
        desk: [transfer, { content: "desk again" }],
        billing: [{ content: "bill" }],
      }),
      open(),
    ]
    const runner = createRunner({ ...services, sessions })
    await runner.start(team("billing"), { session }).result
    expect((await loaded(sessions)).activeAgent).toBe("billing")
    await runner.start(team("billing"), { session, prompt: "more" }).result
    await runner.start(team("returns"), { session, prompt: "with another chart" }).result
    expect(services.modelCalls.map(({ agent }) => agent)).toEqual([
      "desk",
      "billing",
      "billing",
      "desk",
    ])
    expect((await loaded(sessions)).activeAgent).toBeNull()
  })

  test("a session keeps the state, but not the history, of a graph-compose chart", async () => {
    const plain = chartOf([llm("a", { instructions: "I" })], { state: { n: 1 } })
    const [services, sessions] = [
      scriptedServices({ a: [{ content: "x", exitFlow: true }] }),
      open(),
    ]
    const runner = createRunner({ ...services, sessions })
    for (const state of [{ n: 2 }, {}])
      expect((await runner.start(plain, { session, state }).result).state).toMatchObject({
        n: 2,
        a_text: "x",
      })
    expect(services.modelCalls.map(contents)).toEqual([
      ["system: I", "user: go"],
      ["system: I", "user: go"],
    ])
    expect((await loaded(sessions)).history).toEqual([])
  })
})

test.each([
  ["a synchronous store", memorySessionStore],
  ["an asynchronous store", lateStore],
])(
  "a message of the user is answered before the next run begins, even with a slow journal (%s)",
  async (_, open) => {
    const services = scriptedServices({
      desk: [{ content: "1" }, { content: "2" }, { content: "3" }],
    })
    const runner = createRunner({ ...services, sessions: open(), journal: lateJournal() })
    const first = runner.start(chart, { session })
    const events = eventsOf(first)
    expect((await first.result).text).toBe("1")
    first.say("second")
    const next = runner.start(chart, { session, prompt: "third" })
    expect((await next.result).text).toBe("3")
    expect(contents(services.modelCalls[2] as ModelRequest)).toEqual([
      greeting,
      "user: hello",
      "assistant: 1",
      "user: second",
      "assistant: 2",
      "user: third",
    ])
    expect((await first.result).text).toBe("2")
    expect(
      events.flatMap((event) =>
        event.type === "invocation.finished" || event.type === "run.finished" ? [event.type] : [],
      ),
    ).toEqual(["invocation.finished", "invocation.finished", "run.finished"])
  },
)

describe("a run without a session id", () => {
  test("has its own session with an empty session option, and no session without the option", async () => {
    const sessions = memorySessionStore()
    const runner = createRunner({ ...scriptedServices({ desk: [{ content: "hi" }] }), sessions })
    await runner.start(chart, { runId: "alone" }).result
    expect(sessions.list({ appName: chart.id })).toEqual([])
    await runner.start(chart, { runId: "r1", session: {} }).result
    expect(sessions.list({ appName: chart.id })).toMatchObject([
      { userId: "user", sessionId: "r1", savedBy: { runId: "r1" } },
    ])
  })
})

describe.each(["load", "create", "save"] as const)("a session store whose %s fails", (method) => {
  const broken = [
    [
      "synchronous error",
      () => {
        throw new Error("disk full")
      },
    ],
    [
      "asynchronous error",
      async () => {
        await new Promise(setImmediate)
        throw new Error("disk full")
      },
    ],
  ] as const
  test.each(broken)(
    "a run fails with session_store_failed, and the next run gets its turn (%s)",
    async (_, fail) => {
      const runner = createRunner({
        ...scriptedServices({ desk: [{ content: "hi" }] }),
        sessions: { ...memorySessionStore(), [method]: fail },
      })
      const runs = [runner.start(chart, { session }), runner.start(chart, { session })]
      for (const run of runs) {
        const { status, error } = await run.result
        expect([status, error?.code, error?.message]).toEqual([
          "failed",
          "session_store_failed",
          expect.stringContaining("disk full"),
        ])
        expect(await run.whenSettled()).toMatchObject({ status: "failed" })
      }
    },
  )
})
