import { createActor } from "xstate"
import { expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { EmittedEvent, RunResult } from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { createRunner, memoryJournal, replay, runAt } from "../../src/runtime/index.js"
import type { StoredRun } from "../../src/runtime/index.js"
import { begin } from "../support/in-both-interpreters.js"
import type { Script } from "../support/scripted-services.js"
import { scriptedServices } from "../support/scripted-services.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { chartOf, httpTool, human, llm, parallel, sequence } from "../support/workflow.js"

const hour = 3_600_000

const plain = ({ type, agent, path, branch, ...event }: EmittedEvent): string => {
  const { id, onExpiry } = event as { readonly id?: string; readonly onExpiry?: string }
  return JSON.stringify({ type, agent, path, branch, id, onExpiry })
}

interface Outcome {
  readonly result: RunResult
  readonly events: readonly string[]
  readonly asked: readonly unknown[]
}

/** Executes the chart in both interpreters until no timer is left. The outcomes must be equal. */
async function expire(
  chart: AgentChart,
  models: Script = {},
  tools: Script = {},
): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const interpreter of ["run", "actor"] as const) {
    const clock = simulatedClock()
    const services = scriptedServices(models, tools)
    const { controls, events } = begin(
      interpreter,
      chart,
      { http: services.http, clock },
      { runId: "r1" },
    )
    await clock.runUntilIdle()
    const asked = services.modelCalls.map(({ messages }) => messages.at(-1))
    outcomes.push({
      result: controls.snapshot(),
      events: events.filter(({ type }) => type === "request.expired").map(plain),
      asked,
    })
  }
  expect(outcomes[1]).toEqual(outcomes[0])
  return outcomes[0] as Outcome
}

const asking = (fields: object, after: readonly string[] = ["next"]): AgentChart =>
  chartOf([
    sequence("all", ["boss", ...after]),
    human("boss", { expiresIn: "1h", ...fields }),
    llm("next"),
  ])

test("an expired question to a person fails the run, which keeps its state", async () => {
  const { result, events } = await expire(asking({}))
  expect(result).toMatchObject({
    status: "failed",
    error: { code: "request_expired", agent: "boss" },
  })
  expect(events.map((event) => JSON.parse(event) as unknown)).toEqual([
    {
      type: "request.expired",
      agent: "boss",
      path: "all/boss",
      branch: null,
      id: "all/boss#0",
      onExpiry: "fail",
    },
  ])
})

test('after an expired question, onExpiry "continue" runs the next agent without an answer, and "reject" answers null', async () => {
  const models = { next: [{ content: "N" }] }
  const gone = await expire(asking({ onExpiry: "continue" }), models)
  expect(gone.result).toMatchObject({ status: "completed", text: "N" })
  expect(gone.result.state).not.toHaveProperty("boss_answer")
  expect((await expire(asking({ onExpiry: "reject" }), models)).result).toMatchObject({
    status: "completed",
    state: { boss_answer: null },
  })
})

const proposing = (fields: object): AgentChart =>
  chartOf(
    [sequence("all", ["writer"]), llm("writer", { tools: ["order"], expiresIn: "1h", ...fields })],
    { globalTools: [httpTool("order")] },
  )

const proposal = {
  content: null,
  toolCalls: [{ id: "c1", function_name: "order", function_args: {} }],
  hitlRequest: { prompt: "Order?" },
}

test("an expired proposal is rejected: the call is not made, and the model receives the rejection", async () => {
  const { result, asked } = await expire(
    proposing({}),
    { writer: [proposal, { content: "Not ordered." }] },
    { order: [{ ordered: true }] },
  )
  expect(result).toMatchObject({
    status: "completed",
    text: "Not ordered.",
    usage: { toolCalls: 0 },
  })
  expect(JSON.stringify(asked[1])).toContain("nobody answered in time")
})

test("an expired proposal is never approved: onExpiry continue rejects it, and fail fails the run", async () => {
  const models = { writer: [proposal, { content: "Not ordered." }] }
  expect((await expire(proposing({ onExpiry: "continue" }), models)).result).toMatchObject({
    status: "completed",
    usage: { toolCalls: 0 },
  })
  expect((await expire(proposing({ onExpiry: "fail" }), models)).result).toMatchObject({
    status: "failed",
    error: { code: "request_expired", agent: "writer" },
  })
})

const chatting = (fields: object): AgentChart =>
  chartOf([
    sequence("all", ["clerk", "next"]),
    llm("clerk", { expiresIn: "1h", ...fields }),
    llm("next"),
  ])
const question = { content: "Which one?", waitForUserInput: true }

test.each([
  ["fail", "failed", undefined],
  ["continue", "completed", "Which one?"],
  ["reject", "completed", "I take the blue one."],
])("onExpiry %s applies if the user does not answer in time", async (onExpiry, status, text) => {
  const { result, asked } = await expire(chatting({ onExpiry }), {
    clerk: [question, { content: "I take the blue one." }],
    next: [{ content: "N" }],
  })
  expect(result.status).toBe(status)
  if (text !== undefined) expect(result.state["clerk_text"]).toBe(text)
  if (onExpiry === "reject")
    expect(asked[1]).toEqual({ role: "user", content: "(The user did not answer in time.)" })
})

test("the run fails by default if the user does not answer in time", async () => {
  expect((await expire(chatting({}), { clerk: [question] })).result).toMatchObject({
    status: "failed",
    error: { code: "request_expired", agent: "clerk" },
  })
})

const calling = (fields: object): AgentChart =>
  chartOf([sequence("all", ["writer"]), llm("writer", { tools: ["search"] })], {
    globalTools: [httpTool("search", { expiresIn: "1h", ...fields })],
  })

const call = {
  content: null,
  toolCalls: [{ id: "c1", function_name: "search", function_args: {} }],
}

test.each([
  ["a long-running call", { pending: true, ticket: 7 }],
  ["a consent", { pending: true, auth: { url: "https://login.example" } }],
])("the model receives an error if %s expires", async (_, pending) => {
  const models = { writer: [call, { content: "Without it." }] }
  const { result, asked } = await expire(calling({}), models, { search: [pending] })
  expect(result).toMatchObject({ status: "completed", text: "Without it." })
  expect(asked[1]).toEqual({
    role: "tool",
    content: [
      {
        function_response: {
          id: "c1",
          name: "search",
          response: { error: "nobody answered in time" },
        },
      },
    ],
  })
  expect(
    (await expire(calling({ onExpiry: "fail" }), models, { search: [pending] })).result,
  ).toMatchObject({ status: "failed", error: { code: "request_expired" } })
})

test("an expired request of one branch does not affect the request of another branch", async () => {
  const chart = chartOf([
    parallel("both", ["fast", "slow"]),
    human("fast", { expiresIn: "1h", onExpiry: "continue" }),
    human("slow", { expiresIn: "2h", onExpiry: "reject" }),
  ])
  const { result } = await expire(chart)
  expect(result).toMatchObject({ status: "completed", state: { slow_answer: null } })
  expect(result.state).not.toHaveProperty("fast_answer")
})

async function waiting() {
  const journal = memoryJournal()
  const clock = simulatedClock()
  const { http } = scriptedServices({ next: [{ content: "N" }] })
  const run = createRunner({ http, clock, journal }).start(asking({ onExpiry: "continue" }), {
    runId: "r1",
  })
  expect(await run.whenSettled()).toMatchObject({ status: "waiting" })
  return { journal, clock, run, http }
}

test("an answer in time is accepted, and its timer is cancelled", async () => {
  const { clock, run } = await waiting()
  const [request] = run.pending()
  expect(request?.expiresAt).toBe(clock.now() + hour)
  run.answer("all/boss#0", "yes")
  expect(await run.result).toMatchObject({ status: "completed", state: { boss_answer: "yes" } })
  const before = clock.now()
  await clock.runUntilIdle()
  expect(clock.now()).toBe(before)
})

test("an answer after the expiry is rejected and changes nothing", async () => {
  const { clock, run } = await waiting()
  await clock.runUntilIdle()
  expect(run.snapshot()).toMatchObject({ status: "completed" })
  expect(() => run.answer("all/boss#0", "late")).toThrow(
    expect.objectContaining({ code: "run_finished" }),
  )
})

test("a request keeps its expiry time after a restart, even if this time has passed", async () => {
  const { journal, http } = await waiting()
  const start = (journal.load("r1") as StoredRun).header.at
  const copy = () =>
    memoryJournal(JSON.parse(JSON.stringify(journal.toJSON())) as Record<string, StoredRun>)
  const soon = simulatedClock(start + hour / 2)
  const resumed = await createRunner({ http, clock: soon, journal: copy() }).resume("r1")
  expect(resumed.pending()).toMatchObject([{ id: "all/boss#0", expiresAt: start + hour }])
  await soon.runUntilIdle()
  expect(soon.now()).toBe(start + hour)
  expect(resumed.snapshot()).toMatchObject({ status: "completed" })
  const late = simulatedClock(start + 5 * hour)
  const overdue = await createRunner({ http, clock: late, journal: copy() }).resume("r1")
  await late.runUntilIdle()
  expect(overdue.snapshot()).toMatchObject({ status: "completed" })
})

test("a resumed run expires an overdue request before it becomes idle, and rejects an answer to it", async () => {
  const { journal, http } = await waiting()
  const { at } = (journal.load("r1") as StoredRun).header
  for (const [after, isOverdue] of [
    [hour - 1, false],
    [hour, true],
    [5 * hour, true],
  ] as const) {
    const kept = memoryJournal(
      JSON.parse(JSON.stringify(journal.toJSON())) as Record<string, StoredRun>,
    )
    const clock = simulatedClock(at + after)
    const run = await createRunner({ http, clock, journal: kept }).resume("r1")
    if (!isOverdue) {
      expect(await run.whenSettled()).toMatchObject({ status: "waiting" })
      run.answer("all/boss#0", "in time")
      expect((await run.whenSettled()).state).toMatchObject({ boss_answer: "in time" })
      continue
    }
    expect(() => run.answer("all/boss#0", "late")).toThrow(
      expect.objectContaining({
        code: "request_expired",
        message: expect.stringContaining('"all/boss#0"'),
      }),
    )
    const rested = run.whenSettled()
    await clock.runUntilIdle()
    const { status, state } = await rested
    expect([status, state["boss_answer"]]).toEqual(["completed", undefined])
    expect(JSON.stringify(kept.load("r1"))).not.toContain('"late"')
  }
})

test("a restored actor expires an overdue request before it becomes idle, and rejects an answer to it", async () => {
  const chart = asking({ onExpiry: "continue" })
  const { http } = scriptedServices({ next: [{ content: "N" }] })
  const first = simulatedClock()
  const asker = createActor(toMachine(chart, { http, clock: first }), { input: { runId: "r1" } })
  asker.start()
  await controlActor(asker).whenSettled()
  const snapshot = JSON.parse(JSON.stringify(asker.getPersistedSnapshot())) as never
  asker.stop()
  const clock = simulatedClock(first.now() + hour)
  const actor = createActor(toMachine(chart, { http, clock }), { snapshot, input: {} })
  const controls = controlActor(actor)
  actor.start()
  expect(() => controls.answer("all/boss#0", "late")).toThrow(
    expect.objectContaining({ code: "request_expired" }),
  )
  const rested = controls.whenSettled()
  await clock.runUntilIdle()
  const { status, state } = await rested
  expect([status, state["boss_answer"]]).toEqual(["completed", undefined])
})

test("runAt shows the expiry of an open request, and a replay reproduces it only if it is recorded", async () => {
  const { journal, clock } = await waiting()
  const open = journal.load("r1") as StoredRun
  expect(runAt(open).inFlight).toMatchObject([
    { kind: "pause", awaits: "all/boss#0", until: open.header.at + hour },
  ])
  expect(replay(open, open.header.chart)).toMatchObject({
    isSame: true,
    after: { status: "waiting" },
  })
  await clock.runUntilIdle()
  const ended = journal.load("r1") as StoredRun
  expect(replay(ended, ended.header.chart)).toMatchObject({
    isSame: true,
    after: { status: "completed" },
  })
  expect(replay(ended, ended.header.chart).run.records).toEqual(ended.records)
})

test("an expired confirmation is rejected, also for an agent with callbacks", async () => {
  for (const onExpiry of [undefined, "fail"]) {
    const tool = {
      type: "FunctionTool",
      id: "order",
      requireConfirmation: true,
      expiresIn: "1h",
      ...(onExpiry === undefined ? {} : { onExpiry }),
    }
    const agent = {
      type: "LlmAgent",
      id: "a",
      model: "m",
      tools: ["order"],
      afterToolCallback: "after",
      beforeModelCallback: "before",
    }
    const { chart } = compile({
      dialect: "adk",
      rootAgentId: "a",
      agents: [agent],
      globalTools: [tool],
    })
    if (chart === null) throw new Error("does not compile")
    for (const interpreter of ["run", "actor"] as const) {
      const clock = simulatedClock()
      const answers = [
        { content: null, toolCalls: [{ id: "c1", function_name: "order", function_args: {} }] },
        { content: "Not ordered." },
      ]
      let called = 0
      const services = {
        order: async () => void called++,
        after: async () => undefined,
        before: async () => undefined,
      }
      const { controls } = begin(
        interpreter,
        chart,
        { models: { m: { call: async () => answers.shift() } }, services, clock },
        { prompt: "go" },
      )
      // Host functions run in their own promises. The last timer is that of the expiry.
      await clock.runUntilIdle()
      await controls.whenSettled()
      await clock.runUntilIdle()
      await controls.whenSettled()
      const { status, text, error } = controls.snapshot()
      if (onExpiry === undefined)
        expect({ interpreter, status, text, called }).toEqual({
          interpreter,
          status: "completed",
          text: "Not ordered.",
          called: 0,
        })
      else
        expect({ interpreter, status, code: error?.code, called }).toEqual({
          interpreter,
          status: "failed",
          code: "request_expired",
          called: 0,
        })
    }
  }
})
