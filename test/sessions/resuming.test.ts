import { expect, test } from "vitest"
import type { CallOptions, ModelRequest } from "../../src/machines/contract/services.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { memorySessionStore } from "../../src/runtime/host/memory-session-store.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { SessionStore } from "../../src/runtime/journal/session-store.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"
import { scriptedServices } from "../support/scripted-services.js"

const session = { appName: "shop", userId: "ann", sessionId: "s1" }
const adk = { dialect: "adk", initialUserInput: "hello" }
const bytes = { mimeType: "image/png", data: "AAEC" }

/** A workflow with a tool that saves artifacts before and after its steps, a person, and an agent that reads the artifacts. */
const chart = chartOf(
  [
    sequence("line", ["maker", "who", "reader"]),
    llm("maker", { tools: ["note"] }),
    human("who"),
    llm("reader", {
      instruction: "Use {artifact.note.txt}, {artifact.old?} and {artifact.pic}, {user:lang}.",
    }),
  ],
  {
    ...adk,
    globalTools: [{ type: "FunctionTool", id: "note", service: "note", description: "Notes." }],
  },
)
const note: HostFunction = async (context) => {
  await context.saveArtifact(
    "note.txt",
    (await context.step("draw", () => "tea")) + String((await context.listArtifacts()).length),
  )
  await context.step("pause", () => null)
  await context.saveArtifact("pic", bytes)
  return {
    before: await context.loadArtifact("old"),
    now: await context.loadArtifact("note.txt"),
    nothing: await context.loadArtifact("none"),
  }
}
const call = { content: null, toolCalls: [{ id: "1", function_name: "note", function_args: {} }] }
const script = {
  maker: [call, { content: "made" }],
  reader: [{ content: "read" }, { content: "again" }],
}

/** Returns a store whose session contains the changes of an earlier run. */
function begun(): SessionStore {
  const sessions = memorySessionStore()
  sessions.create(session, { "user:lang": "fi" }, 1)
  const said = {
    from: 0,
    entries: [{ author: "user", message: { role: "user" as const, content: "earlier" } }],
  }
  sessions.save(session, {
    runId: "r0",
    records: 1,
    version: 0,
    set: { a: 1 },
    removed: [],
    said,
    artifacts: { old: "mug" },
    activeAgent: null,
    at: 2,
  })
  return sessions
}

const clock = { now: () => 5000, wakeAt: () => () => {} }

test("a run that is resumed after any record has the same result and the same session", async () => {
  const [journal, sessions] = [memoryJournal(), begun()]
  const { http } = scriptedServices(script)
  const answers = new Map<string, unknown>()
  const remembering = {
    call: async (request: ModelRequest, options: CallOptions) => {
      const answer = await http.model.call(request, options)
      answers.set(request.idempotencyKey, answer)
      return answer
    },
  }
  const run = createRunner({
    http: { ...http, model: remembering },
    services: { note },
    journal,
    sessions,
    clock,
  }).start(chart, { session, runId: "r" })
  await run.whenSettled()
  run.answer(run.pending()[0]?.id ?? "", "Ann")
  await run.result
  run.say("more")
  if ((await run.whenSettled()).status === "waiting") run.answer(run.pending()[0]?.id ?? "", "Bob")
  const result = await run.result
  const kept = await sessions.load(session)
  expect(result).toMatchObject({
    status: "completed",
    text: "again",
    artifacts: { "note.txt": "tea1", pic: bytes, old: "mug" },
  })
  expect(kept).toMatchObject({
    artifacts: { old: "mug", "note.txt": "tea1", pic: bytes },
    state: { a: 1, who_answer: "Bob", reader_text: "again" },
  })

  const stored = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  for (let length = 0; length <= stored.records.length; length++) {
    // A resumed run needs neither the store of the first process nor its current content.
    for (const store of [begun(), sessions, memorySessionStore()]) {
      const past = JSON.parse(
        JSON.stringify({ header: stored.header, records: stored.records.slice(0, length) }),
      ) as StoredRun
      const model = {
        call: async ({ idempotencyKey }: ModelRequest) => answers.get(idempotencyKey),
      }
      const resumed = await createRunner({
        http: { ...http, model },
        services: { note },
        journal: memoryJournal({ r: past }),
        sessions: store,
        clock,
      }).resume("r")
      await resumed.whenSettled()
      if (resumed.pending().length > 0 && resumed.snapshot().state["who_answer"] === undefined)
        resumed.answer(resumed.pending()[0]?.id ?? "", "Ann")
      if (
        (await resumed.whenSettled()).status === "completed" &&
        resumed.snapshot().text === "read"
      )
        resumed.say("more")
      if ((await resumed.whenSettled()).status === "waiting")
        resumed.answer(resumed.pending()[0]?.id ?? "", "Bob")
      expect(await resumed.result, `resumed after ${length} records`).toEqual(result)
      const held = await store.load(session)
      // Resuming a finished run does not create a session in an empty store.
      if (length === stored.records.length && held === null) continue
      expect({ ...held, version: kept?.version }, `session after ${length} records`).toEqual(kept)
    }
  }
})

test("a waiting run whose session was changed by another run can be resumed, but then fails", async () => {
  const [journal, sessions, services] = [
    memoryJournal(),
    begun(),
    scriptedServices({ maker: [{ content: "made" }], reader: [{ content: "x" }] }),
  ]
  const other = chartOf([llm("maker")], adk)
  const processes = (stored: string) =>
    createRunner({
      ...services,
      services: { note },
      journal: memoryJournal(JSON.parse(stored) as Record<string, StoredRun>),
      sessions,
    })
  const run = createRunner({ ...services, services: { note }, journal, sessions }).start(chart, {
    session,
    runId: "r",
  })
  await run.whenSettled()
  const waiting = JSON.stringify(journal.toJSON())
  await processes("{}").start(other, { session }).result
  const after = await sessions.load(session)

  expect((await (await processes(waiting).resume("r")).whenSettled()).status).toBe("waiting")
  const resumed = await processes(waiting).resume("r")
  resumed.answer(resumed.pending()[0]?.id ?? "", "Ann")
  expect(await resumed.result).toMatchObject({
    status: "failed",
    error: { code: "session_conflict" },
  })
  expect(await sessions.load(session)).toEqual(after)
})

test("resuming a finished run does not save its session again", async () => {
  const [journal, sessions, services] = [
    memoryJournal(),
    begun(),
    scriptedServices({ maker: [{ content: "made" }] }),
  ]
  const runner = createRunner({ ...services, journal, sessions })
  const one = chartOf([llm("maker", { outputKey: "user:made" })], adk)
  const run = runner.start(one, { session, runId: "r" })
  await run.result
  run.end()
  await sessions.save(
    { ...session, sessionId: "s1" },
    {
      runId: "r9",
      records: 1,
      version: 2,
      set: { "user:made": "changed" },
      removed: [],
      said: { from: 9, entries: [] },
      artifacts: {},
      activeAgent: null,
      at: 9,
    },
  )
  expect((await (await runner.resume("r")).result).status).toBe("completed")
  expect((await sessions.load(session))?.state["user:made"]).toBe("changed")
})
