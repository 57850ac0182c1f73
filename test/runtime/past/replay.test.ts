import * as fc from "fast-check"
import { expect, test } from "vitest"
import { compile } from "../../../src/compiler/compile.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import { createRunner, describeReplay, memoryJournal, replay } from "../../../src/runtime/index.js"
import type { Run, StoredRun } from "../../../src/runtime/index.js"
import { scriptedWorkflow } from "../../support/arbitrary-workflow.js"
import type { Script } from "../../support/scripted-services.js"
import { scriptedServices } from "../../support/scripted-services.js"
import type { SimulatedClock } from "../../support/simulated-clock.js"
import { simulatedClock } from "../../support/simulated-clock.js"
import { chartOf, httpTool, human, llm, loop, parallel, sequence } from "../../support/workflow.js"
import { randomCases } from "../../support/random-cases.js"

const search = { globalTools: [httpTool("search")] }
const call = {
  content: null,
  toolCalls: [{ id: "c1", function_name: "search", function_args: { q: "cats" } }],
}

async function play(
  chart: AgentChart,
  models: Script,
  answer: string | null = null,
): Promise<StoredRun> {
  const journal = memoryJournal()
  const clock = simulatedClock()
  const run = createRunner({
    http: scriptedServices(models, { search: [{ found: 3 }] }).http,
    journal,
    clock,
  }).start(chart, { runId: "r1" })
  await clock.runUntilIdle()
  await run.whenSettled()
  if (answer !== null) for (const { id } of run.pending()) run.answer(id, answer)
  await clock.runUntilIdle()
  return journal.load("r1") as StoredRun
}

const pipeline = (writer = {}, more: readonly string[] = []): AgentChart =>
  chartOf(
    [
      sequence("pipeline", ["writer", "boss", ...more]),
      llm("writer", { tools: ["search"], instructions: "Write.", ...writer }),
      human("boss"),
      ...more.map((id) => llm(id)),
    ],
    search,
  )

const models: Script = { writer: [call, { content: "A draft." }], editor: [{ content: "Edited." }] }

test("a run that is replayed with its own chart has the same records", async () => {
  const stored = await play(pipeline(), models, "fine")
  const replayed = replay(stored, stored.header.chart)
  expect(replayed).toMatchObject({
    isSame: true,
    unanswered: [],
    unused: [],
    unaccepted: [],
    changed: [],
    state: [],
  })
  expect(replayed.run.records).toEqual(stored.records)
  expect(describeReplay(replayed)).toBe(
    "no difference: completed, and every recorded result is used",
  )
})

test("a waiting run and an interrupted run are replayed without differences", async () => {
  const waiting = await play(pipeline(), models)
  expect(replay(waiting, waiting.header.chart)).toMatchObject({
    isSame: true,
    after: { status: "waiting" },
  })
  const inFlight = { ...waiting, records: waiting.records.slice(0, 1) }
  expect(replay(inFlight, inFlight.header.chart)).toMatchObject({
    isSame: true,
    after: { status: "running" },
    unanswered: [{ kind: "tool", key: "pipeline/writer/tool:c1#0" }],
  })
})

test("the call of a new agent is the first call without a recorded result", async () => {
  const replayed = replay(await play(pipeline(), models, "fine"), pipeline({}, ["editor"]))
  expect(replayed.unanswered).toMatchObject([
    { kind: "model", key: "pipeline/editor#0", agent: "editor" },
  ])
  expect(replayed).toMatchObject({
    isSame: false,
    before: { status: "completed" },
    after: { status: "running" },
  })
  expect(describeReplay(replayed)).toContain(
    'the first call without a recorded result: agent "editor" calls its model (pipeline/editor#0)',
  )
})

test("the calls of a removed agent are reported as no longer called", async () => {
  const replayed = replay(await play(pipeline({}, ["editor"]), models, "fine"), pipeline())
  expect(replayed).toMatchObject({
    isSame: false,
    unanswered: [],
    unused: [{ key: "pipeline/editor#0" }],
    state: [{ key: "editor_text", before: "Edited." }],
  })
  expect(describeReplay(replayed)).toContain('no longer called: agent "editor" calls its model')
})

test("an answer to a request that no longer exists is reported as unused", async () => {
  const stored = await play(pipeline(), models, "fine")
  const replayed = replay(
    stored,
    chartOf(
      [
        sequence("pipeline", ["writer"]),
        llm("writer", { tools: ["search"], instructions: "Write." }),
      ],
      search,
    ),
  )
  expect(replayed.unaccepted).toMatchObject([{ type: "human.answered", id: "pipeline/boss#0" }])
})

test("edited instructions change the requests, and the recorded responses are still used", async () => {
  const replayed = replay(
    await play(pipeline(), models, "fine"),
    pipeline({ instructions: "Write briefly." }),
  )
  expect(replayed.changed.map(({ call: { key }, fields }) => [key, fields])).toEqual([
    ["pipeline/writer#0", ["messages"]],
    ["pipeline/writer#1", ["messages"]],
  ])
  expect(replayed.changed[0]?.lines).toEqual([
    'messages[0]: system "Write." before, system "Write briefly." now',
  ])
  expect(replayed).toMatchObject({ isSame: false, state: [], unanswered: [], unused: [] })
})

test("recorded responses are found by path, so the order of agents can change", async () => {
  const agents = [llm("a"), llm("b"), llm("c")]
  const script: Script = { a: [{ content: "A" }], b: [{ content: "B" }], c: [{ content: "C" }] }
  const stored = await play(chartOf([sequence("all", ["a", "b", "c"]), ...agents]), script)
  const replayed = replay(stored, chartOf([sequence("all", ["c", "a", "b"]), ...agents]))
  expect(replayed).toMatchObject({
    unanswered: [],
    unused: [],
    after: { status: "completed", text: "B" },
  })
  const together = replay(stored, chartOf([parallel("all", ["c", "b", "a"]), ...agents]))
  expect(together).toMatchObject({ unused: [], after: { status: "completed", text: "A" } })
})

test("a run can be replayed with another retry interval", async () => {
  const retried = (initialInterval: string) =>
    chartOf([
      sequence("all", ["a"]),
      llm("a", { activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval } } }),
    ])
  const stored = await play(retried("1s"), {
    a: [{ status: 503 }, { status: 503 }, { content: "A" }],
  })
  expect(replay(stored, retried("1s"))).toMatchObject({ isSame: true })
  expect(replay(stored, retried("500ms"))).toMatchObject({
    after: { status: "completed", text: "A" },
    unanswered: [],
    unused: [],
  })
})

test("a loop with one iteration less does not use the recorded response of the last iteration", async () => {
  const rounds = (max: number) => chartOf([loop("rounds", ["a"], max), llm("a")])
  const stored = await play(rounds(3), {
    a: [{ content: "1" }, { content: "2" }, { content: "3" }],
  })
  const replayed = replay(stored, rounds(2))
  expect(replayed.unused).toMatchObject([{ key: "rounds[2]/a#0" }])
  expect(replayed.state).toContainEqual({ key: "a_text", before: "3", after: "2" })
})

/** Answers all pending requests in the same way until the run ends, in at most 30 rounds. */
async function answerAll(run: Run, clock: SimulatedClock): Promise<void> {
  for (let round = 0; round < 30; round++) {
    await clock.runUntilIdle()
    const [request] = run.pending()
    if (request === undefined || !["waiting", "running"].includes(run.snapshot().status)) return
    if (request.kind === "approval") run.approve(request.id)
    else if (request.kind === "input") run.say("tell me", { request: request.id })
    else if (request.kind === "tool") run.deliver(request.id, { delivered: 1 })
    else run.answer(request.id, "yes")
  }
}

test("the run of a random workflow has the same records when it is replayed up to any record", async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      scriptedWorkflow,
      fc.nat(),
      async ({ agents, fields, models: script, tools }, cut) => {
        const { chart } = compile({
          rootAgentId: agents[0]?.["id"],
          agents,
          initialUserInput: "go",
          ...fields,
        })
        if (chart === null) return
        const journal = memoryJournal()
        const clock = simulatedClock()
        const { http } = scriptedServices(script, tools)
        await answerAll(createRunner({ http, journal, clock }).start(chart, { runId: "r1" }), clock)
        const { header, records } = journal.load("r1") as StoredRun
        for (const at of [records.length, cut % (records.length + 1)]) {
          const stored = { header, records: records.slice(0, at) }
          const replayed = replay(stored, chart)
          expect(replayed.run.records).toEqual(stored.records)
          expect(describeReplay(replayed)).toMatch(/^no difference/)
          compared += at
        }
      },
    ),
    { numRuns: randomCases(150) },
  )
  expect(compared).toBeGreaterThan(randomCases(150))
})
