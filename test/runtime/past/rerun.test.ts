import { expect, test } from "vitest"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import { createRunner, memoryJournal, rerunner } from "../../../src/runtime/index.js"
import type { Run, StoredRun } from "../../../src/runtime/index.js"
import type { Script, ScriptedServices } from "../../support/scripted-services.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { simulatedClock } from "../../support/simulated-clock.js"
import { chartOf, httpTool, human, llm, loop, parallel, sequence } from "../../support/workflow.js"

const search = { globalTools: [httpTool("search")] }
const call = {
  content: null,
  toolCalls: [{ id: "c1", function_name: "search", function_args: { q: "cats" } }],
}

/** Executes a run on a simulated clock, with a function that answers its requests. */
async function play(
  chart: AgentChart,
  services: ScriptedServices,
  answer: (run: Run) => void = () => {},
): Promise<StoredRun> {
  const journal = memoryJournal()
  const clock = simulatedClock()
  const run = createRunner({ http: services.http, journal, clock }).start(chart, { runId: "r1" })
  await clock.runUntilIdle()
  answer(run)
  await clock.runUntilIdle()
  return journal.load("r1") as StoredRun
}

const noCalls: Script = {}

const press = (instructions: Readonly<Record<string, string>> = {}): AgentChart =>
  chartOf(
    [
      sequence("press", ["researcher", "writer", "editor"]),
      llm("researcher", { tools: ["search"], instructions: "Find facts." }),
      llm("writer", { instructions: instructions["writer"] ?? "Write about {researcher_text}" }),
      llm("editor", { instructions: instructions["editor"] ?? "Edit {writer_text}" }),
    ],
    search,
  )

const pressScript: Script = {
  researcher: [call, { content: "Tea is a leaf.", usage: { inputTokens: 30, outputTokens: 5 } }],
  writer: [{ content: "Tea, a leaf, is old.", usage: { inputTokens: 40, outputTokens: 8 } }],
  editor: [{ content: "Tea is an old leaf.", usage: { inputTokens: 50, outputTokens: 8 } }],
}

const playPress = (chart = press()): Promise<StoredRun> =>
  play(chart, scriptedServices(pressScript, { search: [{ hits: ["leaf"] }] }))

test("a run that is executed again with its own chart makes no call", async () => {
  const stored = await playPress()
  const before = structuredClone(stored)
  const services = scriptedServices(noCalls)
  const rerun = await rerunner(press())(stored, { services })
  expect(services.modelCalls).toEqual([])
  expect(rerun).toMatchObject({
    firstDivergence: null,
    calledTools: [],
    calls: { made: { models: 0, tools: 0 }, reused: { models: 4, tools: 1 } },
    changed: {
      status: false,
      text: false,
      state: [],
      agents: { added: [], removed: [] },
      states: { added: [], removed: [] },
    },
  })
  expect(rerun.run.records).toEqual(stored.records)
  expect(stored).toEqual(before)
})

test("an edited agent is called, and later agents are called only if their requests differ", async () => {
  const stored = await playPress()
  const same = scriptedServices({ writer: [{ content: "Tea, a leaf, is old." }] })
  const unchanged = await rerunner(press({ writer: "Write a line about {researcher_text}" }))(
    stored,
    { services: same },
  )
  expect(same.modelCalls.map(({ agent }) => agent)).toEqual(["writer"])
  expect(unchanged).toMatchObject({
    firstDivergence: { kind: "model", key: "press/writer#0", differs: ["messages"] },
    calls: { made: { models: 1, tools: 0 }, reused: { models: 3, tools: 1 } },
    changed: { text: false, state: [] },
  })
  const other = scriptedServices({
    writer: [{ content: "Tea is hot." }],
    editor: [{ content: "Tea is hot!" }],
  })
  const changed = await rerunner(press({ writer: "Write a line about {researcher_text}" }))(
    stored,
    { services: other },
  )
  expect(changed).toMatchObject({
    calls: { made: { models: 2, tools: 0 }, reused: { models: 2, tools: 1 } },
    changed: { status: false, text: true, state: ["editor_text", "writer_text"] },
    after: { text: "Tea is hot!" },
  })
})

const block = (planner = "Plan.", food = "Food."): AgentChart =>
  chartOf([
    sequence("trip", ["research", "planner"]),
    parallel("research", ["sights", "food"]),
    llm("sights", { instructions: "Sights." }),
    llm("food", { instructions: food }),
    llm("planner", { instructions: `${planner} {sights_text} and {food_text}` }),
  ])

const blockScript: Script = {
  sights: [{ content: "Larco" }],
  food: [{ content: "soup" }],
  planner: [{ content: "Larco and soup" }],
}

test("a branch that does not depend on a change is not called", async () => {
  const stored = await play(block(), scriptedServices(blockScript))
  const services = scriptedServices({
    ...noCalls,
    food: [{ content: "ceviche" }],
    planner: [{ content: "Larco and ceviche" }],
  })
  const rerun = await rerunner(block("Plan.", "Local food."))(stored, { services })
  expect(services.modelCalls.map(({ agent }) => agent)).toEqual(["food", "planner"])
  expect(rerun).toMatchObject({
    firstDivergence: { key: "trip/research/food#0" },
    calls: { made: { models: 2 }, reused: { models: 1 } },
    changed: { text: true, state: ["food_text", "planner_text"] },
  })
})

test("offline, no call is made, and the calls without a recorded result are listed", async () => {
  const stored = await play(block(), scriptedServices(blockScript))
  const services = scriptedServices(noCalls)
  const rerun = await rerunner(block("Plan.", "Local food."))(stored, { services, offline: true })
  expect(services.modelCalls).toEqual([])
  expect(rerun).toMatchObject({
    after: { status: "running" },
    unanswered: [{ kind: "model", key: "trip/research/food#0" }],
    calls: { made: { models: 0, tools: 0 }, reused: { models: 1, tools: 0 } },
  })
})

test("a new call does not reuse the idempotency key of the recorded call", async () => {
  const stored = await playPress()
  const services = scriptedServices({ editor: [{ content: "Tea." }] })
  await rerunner(press({ editor: "Cut {writer_text}" }))(stored, { services, runId: "edited" })
  expect(services.modelCalls.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
    "edited/press/editor#0",
  ])
})

test("a failed attempt is not repeated, and a failed call is made again", async () => {
  const chart = chartOf([
    llm("caller", {
      activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "1s" } },
    }),
  ])
  const retried = await play(
    chart,
    scriptedServices({ caller: [{ status: 500 }, { content: "Hi.", exitFlow: true }] }),
  )
  const unused = scriptedServices(noCalls)
  expect(await rerunner(chart)(retried, { services: unused })).toMatchObject({
    firstDivergence: null,
    calls: { made: { models: 0 }, reused: { models: 1 } },
    after: { status: "completed", text: "Hi." },
  })
  const failed = await play(chart, scriptedServices({ caller: [{ status: 400 }] }))
  const services = scriptedServices({ caller: [{ content: "Hi.", exitFlow: true }] })
  expect(await rerunner(chart)(failed, { services })).toMatchObject({
    firstDivergence: { kind: "model", key: "caller#0", differs: [] },
    before: { status: "failed" },
    after: { status: "completed" },
    changed: { status: true },
  })
  expect(services.modelCalls).toHaveLength(1)
})

test("a branch that was stopped during its call is not called", async () => {
  const chart = chartOf([
    parallel("race", ["quick", "slow"], { completion: "first-success" }),
    llm("quick"),
    llm("slow"),
  ])
  const never = new Promise<void>(() => {})
  const stored = await play(
    chart,
    scriptedServices({ quick: [{ content: "First." }] }, {}, ({ agent }) =>
      agent === "slow" ? never : Promise.resolve(),
    ),
  )
  const services = scriptedServices({ slow: [{ content: "Late." }] })
  expect(await rerunner(chart)(stored, { services })).toMatchObject({
    calls: { made: { models: 0 }, reused: { models: 1 } },
    changed: { status: false, text: false, state: [] },
  })
  expect(services.modelCalls).toEqual([])
})

const paying = (instructions = "Pay."): AgentChart =>
  chartOf([llm("payer", { tools: ["pay"], instructions })], { globalTools: [httpTool("pay")] })

const payment = (amount: number): Script => ({
  payer: [
    {
      content: "May I?",
      toolCalls: [{ id: "p1", function_name: "pay", function_args: { amount } }],
      hitlRequest: { prompt: "Pay?" },
    },
    { content: "Paid.", exitFlow: true },
  ],
})

const approve = (run: Run): void => {
  for (const { id } of run.pending()) run.approve(id)
}

test("an approval is reused for the same call only, and a paid call is not paid again", async () => {
  const paid = { pay: [{ ok: true }] }
  const stored = await play(paying(), scriptedServices(payment(5), paid), approve)
  expect(stored.records).toHaveLength(4)
  const same = scriptedServices(payment(5), paid)
  const rerun = await rerunner(paying("Pay the bill."))(stored, { services: same })
  expect(rerun).toMatchObject({
    after: { status: "completed", text: "Paid." },
    answers: { reused: 1, unused: 0 },
    calls: { made: { models: 2, tools: 0 }, reused: { models: 0, tools: 1 } },
    calledTools: [],
  })
  expect(same.toolCalls).toEqual([])
  const more = scriptedServices(payment(5000), paid)
  const waiting = await rerunner(paying("Pay all bills."))(stored, { services: more })
  expect(more.toolCalls).toEqual([])
  expect(waiting).toMatchObject({
    after: { status: "waiting" },
    pending: [{ kind: "approval" }],
    answers: { reused: 0, unused: 1 },
  })
})

test("the result names a tool that is called with other arguments", async () => {
  const stored = await playPress()
  const services = scriptedServices(
    {
      researcher: [
        { ...call, toolCalls: [{ ...call.toolCalls[0], function_args: { q: "dogs" } }] },
        { content: "Tea is a leaf." },
      ],
    },
    { search: [{ hits: ["leaf"] }] },
  )
  const edited = chartOf(
    [
      sequence("press", ["researcher", "writer", "editor"]),
      llm("researcher", { tools: ["search"], instructions: "Find more." }),
      llm("writer", { instructions: "Write about {researcher_text}" }),
      llm("editor", { instructions: "Edit {writer_text}" }),
    ],
    search,
  )
  expect(await rerunner(edited)(stored, { services })).toMatchObject({
    calledTools: ["search"],
    calls: { made: { models: 2, tools: 1 }, reused: { models: 2, tools: 0 } },
  })
})

test("answers of people and user messages are reused in a loop with a person", async () => {
  const chart = (times: number): AgentChart =>
    chartOf([
      loop("rounds", ["boss", "clerk"], times),
      human("boss"),
      llm("clerk", { instructions: "Note {boss_answer}" }),
    ])
  const journal = memoryJournal()
  const clock = simulatedClock()
  const services = scriptedServices({ clerk: [{ content: "Noted." }] })
  const run = createRunner({ http: services.http, journal, clock }).start(chart(3), { runId: "r" })
  for (const answer of ["one", "two", "three"]) {
    await clock.runUntilIdle()
    for (const { id } of run.pending()) run.answer(id, answer)
  }
  await clock.runUntilIdle()
  const stored = journal.load("r") as StoredRun
  expect(await rerunner(chart(3))(stored)).toMatchObject({
    calls: { made: { models: 0 }, reused: { models: 3 } },
    answers: { reused: 3, unused: 0 },
    changed: { status: false, text: false, state: [] },
  })
  expect(await rerunner(chart(2))(stored)).toMatchObject({
    calls: { made: { models: 0 }, reused: { models: 2 } },
    answers: { reused: 2, unused: 1 },
    changed: { state: ["boss_answer"] },
  })
})

test("the costs of both charts are those of full runs with the same prices", async () => {
  const stored = await playPress()
  const services = {
    ...scriptedServices({
      editor: [{ content: "Tea.", usage: { inputTokens: 55, outputTokens: 5 } }],
    }),
    priceOf: ({ usage }: { readonly usage: { inputTokens: number; outputTokens: number } }) =>
      usage.inputTokens + 5 * usage.outputTokens,
  }
  expect(
    await rerunner(press({ editor: "Cut {writer_text}" }))(stored, { services }),
  ).toMatchObject({
    tokens: { before: 35 + 48 + 58, after: 35 + 48 + 60 },
    cost: { before: 30 + 25 + 40 + 40 + 50 + 40, after: 30 + 25 + 40 + 40 + 55 + 25 },
  })
  expect((await rerunner(press())(stored)).cost).toEqual({ before: null, after: null })
})

test("the new run cannot have the id of the recorded run", async () => {
  await expect(rerunner(press())(await playPress(), { runId: "r1" })).rejects.toMatchObject({
    code: "input_refused",
  })
})
