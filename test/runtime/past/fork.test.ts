import { expect, test, vi } from "vitest"
import { compile } from "../../../src/compiler/index.js"
import type { ModelRequest } from "../../../src/machines/contract/services.js"
import type { StoredRun } from "../../../src/runtime/index.js"
import {
  createRunner,
  fork,
  memoryJournal,
  memorySessionStore,
  runAt,
} from "../../../src/runtime/index.js"
import { storeRun } from "../../../src/runtime/journal/stored-run.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { chartOf, httpTool, human, llm, loop, parallel, sequence } from "../../support/workflow.js"

const chart = chartOf(
  [sequence("pipeline", ["writer", "boss", "editor"]), llm("writer"), human("boss"), llm("editor")],
  { state: { tone: "dry" } },
)

async function finished() {
  const journal = memoryJournal()
  const { http, modelCalls } = scriptedServices({
    writer: [{ content: "A draft." }],
    editor: [{ content: "Edited." }],
  })
  const runner = createRunner({ http, journal })
  const run = runner.start(chart, { runId: "r1" })
  await run.whenSettled()
  run.answer("pipeline/boss#0", "shorter")
  await run.result
  return {
    journal,
    runner,
    calls: modelCalls.splice(0),
    modelCalls,
    stored: journal.load("r1") as StoredRun,
  }
}

const stateOf = (request: ModelRequest | undefined) => request?.state

test("a fork does not repeat finished calls, and its new calls have their own idempotency keys", async () => {
  const { runner, modelCalls } = await finished()
  const run = await runner.fork("r1", { at: 2, runId: "r2" })
  expect(await run.result).toMatchObject({
    runId: "r2",
    status: "completed",
    state: { writer_text: "A draft.", boss_answer: "shorter", editor_text: "Edited." },
  })
  expect(modelCalls.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["r2/pipeline/editor#0"])
})

test("a fork is stored in one step, so a killed process leaves no part of it", async () => {
  const { journal, stored } = await finished()
  const run = fork(stored, { at: 2, runId: "r2", now: 0 })
  const append = vi.spyOn(journal, "append")
  const create = vi.spyOn(journal, "create")
  const broken = { ...journal, store: () => Promise.reject(new Error("the disk is full")) }
  await expect(storeRun(broken, run)).rejects.toThrow("the disk is full")
  expect(journal.load("r2")).toBeNull()
  await storeRun(journal, run)
  expect(journal.load("r2")).toEqual(run)
  expect(append).not.toHaveBeenCalled()
  expect(create).not.toHaveBeenCalled()
  // An owned run with the same id is not replaced.
  journal.acquire("r2")
  await expect(storeRun(journal, { ...run, records: [] })).rejects.toMatchObject({
    code: "run_exists",
  })
  expect(journal.load("r2")).toEqual(run)
})

test("the header of a fork names its original run, which is not changed", async () => {
  const { runner, journal, stored } = await finished()
  const before = JSON.stringify(stored)
  await (
    await runner.fork("r1", { at: 2, runId: "r2" })
  ).result
  expect((journal.load("r2") as StoredRun).header.forkedFrom).toMatchObject({ runId: "r1", at: 2 })
  expect(JSON.stringify(journal.load("r1"))).toBe(before)
})

test("the call that was in flight receives the changed state of a fork", async () => {
  const { runner, modelCalls, journal } = await finished()
  const run = await runner.fork("r1", {
    at: 2,
    runId: "r2",
    state: { tone: "witty", writer_text: "Mine." },
    remove: ["boss_answer"],
  })
  const { state } = await run.result
  expect(stateOf(modelCalls[0])).toMatchObject({ tone: "witty", writer_text: "Mine." })
  expect(stateOf(modelCalls[0])).not.toHaveProperty("boss_answer")
  expect(state).toMatchObject({ tone: "witty", writer_text: "Mine.", editor_text: "Edited." })
  expect(runAt(journal.load("r2") as StoredRun).result.state).toEqual(state)
})

test("a fork at record 0 starts from the beginning, optionally with another prompt", async () => {
  const { runner, modelCalls } = await finished()
  const run = await runner.fork("r1", {
    at: 0,
    runId: "r2",
    prompt: "another topic",
    state: { tone: "warm" },
  })
  await run.whenSettled()
  expect(modelCalls[0]?.messages).toEqual([{ role: "user", content: "another topic" }])
  expect(stateOf(modelCalls[0])).toMatchObject({ tone: "warm" })
})

test("a fork can answer a request differently, before or after the run continues", async () => {
  const { runner, stored } = await finished()
  const run = await runner.fork("r1", {
    at: 1,
    runId: "r2",
    act: (at) => at.answer("pipeline/boss#0", "longer"),
  })
  expect((await run.result).state).toMatchObject({ boss_answer: "longer" })
  const open = await runner.fork("r1", { at: 1, runId: "r3" })
  open.answer("pipeline/boss#0", "no")
  expect((await open.result).state).toMatchObject({ boss_answer: "no" })
  expect(() => fork(stored, { at: 1, runId: "r4", act: (at) => at.answer("nobody", 1) })).toThrow(
    expect.objectContaining({ code: "request_unknown" }),
  )
})

test("in branches and loops, later calls receive the changed state, and finished branches keep their writes", async () => {
  const journal = memoryJournal()
  const nested = chartOf([
    sequence("all", ["both", "rounds"]),
    parallel("both", ["left", "right"]),
    llm("left"),
    llm("right"),
    loop("rounds", ["again"], 2),
    llm("again"),
  ])
  const { http, modelCalls } = scriptedServices({
    left: [{ content: "L" }],
    right: [{ content: "R" }],
    again: [{ content: "1" }, { content: "2" }],
  })
  const runner = createRunner({ http, journal })
  await runner.start(nested, { runId: "r1" }).result
  modelCalls.length = 0
  const run = await runner.fork("r1", {
    at: 1,
    runId: "r2",
    state: { topic: "owls", left_text: "not yours" },
  })
  const { state } = await run.result
  expect(modelCalls.map(({ agent }) => agent)).toEqual(["right", "again", "again"])
  for (const call of modelCalls) expect(call.state).toMatchObject({ topic: "owls" })
  expect(state).toMatchObject({ topic: "owls", left_text: "L", right_text: "R" })
})

test("a tool call that was in flight receives the changed state of a fork", async () => {
  const journal = memoryJournal()
  const tools = chartOf([sequence("all", ["writer"]), llm("writer", { tools: ["search"] })], {
    globalTools: [httpTool("search")],
  })
  const call = {
    content: null,
    toolCalls: [{ id: "c1", function_name: "search", function_args: {} }],
  }
  const { http, toolCalls } = scriptedServices(
    { writer: [call, { content: "done" }, { content: "done" }] },
    { search: [{ found: 1 }] },
  )
  const runner = createRunner({ http, journal })
  await runner.start(tools, { runId: "r1" }).result
  await (
    await runner.fork("r1", { at: 1, runId: "r2", state: { region: "north" } })
  ).result
  expect(toolCalls.map(({ state }) => state)).toEqual([{}, { region: "north" }])
})

test("invalid fork options are rejected, and nothing is stored", async () => {
  const { runner, journal, stored } = await finished()
  const refusals = [
    [{ at: 0, runId: "r1" }, "input_refused"],
    [{ at: -1, runId: "r2" }, "input_refused"],
    [{ at: 1, runId: "r2", prompt: "late" }, "input_refused"],
    [{ at: 1, runId: "r2", state: { "\u0000x": 1 } }, "input_refused"],
    [{ at: 9, runId: "r2", state: { tone: "late" } }, "run_finished"],
  ] as const
  for (const [options, code] of refusals)
    expect(() => fork(stored, options)).toThrow(expect.objectContaining({ code }))
  await expect(runner.fork("r0", { at: 0 })).rejects.toThrow(
    expect.objectContaining({ code: "run_unknown" }),
  )
  expect(Object.keys(journal.toJSON())).toEqual(["r1"])
})

test("a fork renders instructions again with the changed state", async () => {
  const agents = [
    { name: "first", model: "m" },
    { name: "second", model: "m", instruction: "Be {tone}." },
  ]
  const { chart: adk } = compile({
    agent_class: "SequentialAgent",
    name: "both",
    sub_agents: agents.map((agent) => ({ agent_class: "LlmAgent", ...agent })),
    state: { tone: "dry" },
  })
  if (adk === null) throw new Error("does not compile")
  const seen: ModelRequest[] = []
  const models = {
    m: { call: async (request: ModelRequest) => (seen.push(request), { content: "ok" }) },
  }
  const journal = memoryJournal()
  const runner = createRunner({ models, journal })
  await runner.start(adk, { runId: "r1", prompt: "hi", state: { tone: "dry" } }).result
  await (
    await runner.fork("r1", { at: 1, runId: "r2", state: { tone: "warm" } })
  ).result
  expect(
    seen
      .filter(({ agent }) => agent === "second")
      .map(({ messages }) => (messages[0] as { content: string }).content),
  ).toEqual([expect.stringContaining("Be dry."), expect.stringContaining("Be warm.")])
})

test("a fork starts with the session state of the original invocation and does not change the session", async () => {
  const { chart: guide } = compile({
    dialect: "adk",
    rootAgentId: "guide",
    agents: [{ type: "LlmAgent", id: "guide", model: "m", outputKey: "said" }],
  })
  if (guide === null) throw new Error("does not compile")
  let asked = 0
  const models = {
    m: {
      call: async ({ messages }: ModelRequest) => ({
        content: `${++asked}: ${messages.length} messages`,
      }),
    },
  }
  const sessions = memorySessionStore()
  const key = { appName: "app", userId: "ann", sessionId: "monday" }
  const runner = createRunner({ models, sessions, journal: memoryJournal() })
  await runner.start(guide, { session: key, prompt: "one", runId: "r1" }).result
  await runner.start(guide, { session: key, prompt: "two", runId: "r2" }).result
  const before = await sessions.load(key)
  const run = await runner.fork("r2", { at: 0, runId: "r3", prompt: "another" })
  expect(await run.result).toMatchObject({
    status: "completed",
    text: "3: 4 messages",
    state: { said: "3: 4 messages" },
  })
  expect(await sessions.load(key)).toEqual(before)
  await runner.close()
})
