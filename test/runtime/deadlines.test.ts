import { expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { CallOptions } from "../../src/machines/contract/services.js"
import type { RunResult } from "../../src/machines/contract/run-event.js"
import { createRunner, memoryJournal, replay } from "../../src/runtime/index.js"
import type { StoredRun } from "../../src/runtime/index.js"
import { begin } from "../support/in-both-interpreters.js"
import type { SimulatedClock } from "../support/simulated-clock.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { agentTool, chartOf, human, llm, loop, parallel, sequence } from "../support/workflow.js"

type Fields = Readonly<Record<string, unknown>>

const minute = 60_000

/** Models that respond after the given minutes with the given answer or with the agent's name. */
function slowModels(
  minutes: Readonly<Record<string, number>>,
  clock: SimulatedClock,
  answers: Readonly<Record<string, unknown>> = {},
) {
  const model = {
    call: ({ agent }: { readonly agent: string }, { signal }: CallOptions) =>
      new Promise<unknown>((resolve, reject) => {
        const stop = clock.wakeAt(clock.now() + (minutes[agent] ?? 0) * minute, () =>
          resolve(answers[agent] ?? { content: agent }),
        )
        signal.addEventListener("abort", () => {
          stop()
          reject(new Error("stopped"))
        })
      }),
  }
  return { http: { model, tool: model as never }, clock, defaultTimeoutMs: 1e9 }
}

interface Played {
  readonly result: RunResult
  readonly took: number
}

async function inBoth(
  chart: AgentChart,
  minutes: Readonly<Record<string, number>>,
  answers: Readonly<Record<string, unknown>> = {},
): Promise<Played> {
  const played: Played[] = []
  for (const interpreter of ["run", "actor"] as const) {
    const clock = simulatedClock()
    const start = clock.now()
    const { controls } = begin(interpreter, chart, slowModels(minutes, clock, answers), {
      runId: "r1",
    })
    await clock.runUntilIdle()
    played.push({ result: controls.snapshot(), took: clock.now() - start })
  }
  expect(played[1]).toEqual(played[0])
  return played[0] as Played
}

const twoSteps = chartOf([sequence("all", ["first", "second"]), llm("first"), llm("second")], {
  maxDuration: "10m",
})

test("a run that exceeds its maxDuration ends with status limit and keeps its finished results", async () => {
  const { result, took } = await inBoth(twoSteps, { first: 6, second: 6 })
  expect(result).toMatchObject({
    status: "limit",
    error: { code: "limit_reached", agent: "all" },
    state: { first_text: "first" },
  })
  expect(result.state).not.toHaveProperty("second_text")
  expect(result.error?.message).toContain("maxDuration")
  expect(took).toBe(10 * minute)
})

test("a run that ends before its maxDuration leaves no timer behind", async () => {
  const { result, took } = await inBoth(twoSteps, { first: 4, second: 5 })
  expect(result).toMatchObject({ status: "completed" })
  expect(took).toBe(9 * minute)
})

test("at the maxDuration, finished branches and iterations are kept and unfinished branches are dropped", async () => {
  for (const more of [{}, { maxConcurrency: 2 }]) {
    const chart = chartOf(
      [
        sequence("all", ["both"]),
        parallel("both", ["quick", "slow"], more),
        llm("quick"),
        llm("slow"),
      ],
      { maxDuration: "10m" },
    )
    const { result } = await inBoth(chart, { quick: 1, slow: 60 })
    expect(result).toMatchObject({ status: "limit", state: { quick_text: "quick" } })
    expect(result.state).not.toHaveProperty("slow_text")
  }
  const rounds = chartOf([loop("rounds", ["writer"], 9), llm("writer")], { maxDuration: "10m" })
  expect((await inBoth(rounds, { writer: 4 })).result).toMatchObject({
    status: "limit",
    state: { writer_text: "writer", current_agent_loop_iteration: 2 },
  })
})

test("the time that a run waits for a person counts towards its maxDuration", async () => {
  const chart = chartOf([sequence("all", ["boss"]), human("boss")], { maxDuration: "10m" })
  const clock = simulatedClock()
  const run = createRunner({ clock }).start(chart)
  expect(await run.whenSettled()).toMatchObject({ status: "waiting" })
  await clock.runUntilIdle()
  expect(await run.result).toMatchObject({ status: "limit" })
  expect((await inBoth(chart, {})).result).toMatchObject({ status: "limit" })
})

test("an agent fails if its turn exceeds its maxDuration", async () => {
  const chart = chartOf([
    sequence("all", ["first", "second"]),
    llm("first"),
    llm("second", { maxDuration: "5m" }),
  ])
  expect((await inBoth(chart, { first: 9, second: 4 })).result).toMatchObject({
    status: "completed",
  })
  const { result, took } = await inBoth(chart, { first: 9, second: 6 })
  expect(result).toMatchObject({
    status: "failed",
    error: { code: "deadline_passed", agent: "second" },
    state: { first_text: "first" },
  })
  expect(took).toBe(14 * minute)
})

test("the caller of an AgentTool fails at its own maxDuration and receives an error at the target's", async () => {
  const call = {
    content: null,
    toolCalls: [{ id: "c1", function_name: "ask", function_args: { request: "?" } }],
  }
  const chart = (caller: Fields, target: Fields): AgentChart =>
    chartOf(
      [
        sequence("all", ["caller"]),
        llm("caller", { tools: ["ask"], ...caller }),
        llm("target", target),
      ],
      { globalTools: [agentTool("ask", "target")], maxModelCalls: 2 },
    )
  expect(
    (await inBoth(chart({ maxDuration: "5m" }, {}), { target: 9 }, { caller: call })).result,
  ).toMatchObject({ status: "failed", error: { code: "deadline_passed", agent: "caller" } })
  expect(
    (await inBoth(chart({}, { maxDuration: "5m" }), { target: 9 }, { caller: call })).result,
  ).toMatchObject({ status: "limit", error: { code: "limit_reached" } })
})

test("a branch that exceeds its maxDuration is collected as a failure with failurePolicy collect", async () => {
  const chart = chartOf([
    sequence("all", ["both"]),
    parallel("both", ["quick", "slow"], { failurePolicy: "collect" }),
    llm("quick"),
    llm("slow", { maxDuration: "2m" }),
  ])
  expect((await inBoth(chart, { quick: 1, slow: 60 })).result).toMatchObject({
    status: "completed",
    state: { quick_text: "quick", branch_errors: { slow: { agent: "slow" } } },
  })
})

test("the deadline of a run stays the same after a restart, and a replay reproduces it", async () => {
  const journal = memoryJournal()
  const clock = simulatedClock()
  const runner = createRunner({ ...slowModels({ first: 6, second: 60 }, clock), journal })
  const run = runner.start(twoSteps, { runId: "r1" })
  await clock.runUntilIdle()
  const { header, records } = journal.load("r1") as StoredRun
  expect(replay({ header, records }, twoSteps)).toMatchObject({
    isSame: true,
    after: { status: "limit" },
  })
  const cut = { r2: { header: { ...header, runId: "r2" }, records: records.slice(0, 1) } }
  const later = simulatedClock(header.at + 8 * minute)
  const resumed = await createRunner({
    ...slowModels({ second: 60 }, later),
    journal: memoryJournal(cut),
  }).resume("r2")
  await later.runUntilIdle()
  expect(later.now()).toBe(header.at + 10 * minute)
  expect(resumed.snapshot()).toMatchObject({ ...run.snapshot(), runId: "r2" })
})

test("in the adk dialect each invocation has its own time limit, which does not count while the run is idle", async () => {
  const { chart } = compile({
    dialect: "adk",
    rootAgentId: "a",
    maxDuration: "10m",
    agents: [{ type: "LlmAgent", id: "a", model: "m" }],
  })
  if (chart === null) throw new Error("does not compile")
  const clock = simulatedClock()
  const { http } = slowModels({ a: 6 }, clock)
  const run = createRunner({ models: { m: http.model }, clock, defaultTimeoutMs: 1e9 }).start(
    chart,
    { prompt: "one" },
  )
  await clock.runUntilIdle()
  expect(run.snapshot()).toMatchObject({ status: "completed", text: "a" })
  run.say("two")
  await clock.runUntilIdle()
  expect(run.snapshot()).toMatchObject({ status: "completed" })
  expect(clock.now()).toBe(1_700_000_000_000 + 12 * minute)
})

test("an invalid maxDuration is a compile error with the location of the field", () => {
  const agents = (more: Fields) => [llm("a", more)]
  const errors = (config: object) =>
    compile({ rootAgentId: "a", initialUserInput: "go", ...config }).diagnostics.filter(
      ({ severity }) => severity === "error",
    )
  expect(errors({ agents: agents({}), maxDuration: "soon" })).toMatchObject([
    { code: "bad_duration", pointer: "/maxDuration" },
  ])
  expect(errors({ agents: agents({ maxDuration: 0 }) })).toMatchObject([
    { code: "bad_duration", pointer: "/agents/0/maxDuration" },
  ])
})

const budgeted = (fields: Fields, own: Fields = {}): AgentChart =>
  chartOf(
    [sequence("all", ["first", "second", "third"]), llm("first"), llm("second"), llm("third", own)],
    fields,
  )

test("a time budget does not stop a running call and is checked before the next call", async () => {
  const { result, took } = await inBoth(budgeted({ budget: { maxDuration: "10m" } }), {
    first: 6,
    second: 5,
    third: 1,
  })
  expect(result).toMatchObject({
    status: "limit",
    error: {
      message: expect.stringContaining("maxDuration (600000 ms; 660000 ms have passed)") as unknown,
    },
    state: { second_text: "second" },
  })
  expect(took).toBe(11 * minute)
  expect(
    (await inBoth(budgeted({ budget: { maxDuration: "12m" } }), { first: 6, second: 5, third: 1 }))
      .result,
  ).toMatchObject({ status: "completed" })
})

test("the time budget of an agent starts with its first model call", async () => {
  const spent: Fields = { budget: { maxDuration: "2m", onExceeded: { message: "It is late." } } }
  const rounds = chartOf([
    loop("rounds", ["first", "second"], 3),
    llm("first"),
    llm("second", spent),
  ])
  const { result, took } = await inBoth(rounds, { first: 1, second: 1 })
  expect(result).toMatchObject({ status: "completed", text: "It is late." })
  expect(took).toBe(4 * minute)
})

test("a time budget that a person extends starts again at the approval", async () => {
  for (const interpreter of ["run", "actor"] as const) {
    const clock = simulatedClock()
    const { controls } = begin(
      interpreter,
      budgeted({ budget: { maxDuration: "5m", onExceeded: "ask" } }),
      slowModels({ first: 6, second: 4, third: 1 }, clock),
    )
    await clock.runUntilIdle()
    expect(controls.pending()).toMatchObject([{ agent: "second" }])
    clock.jump(1000 * minute)
    controls.approve(controls.pending()[0]?.id ?? "")
    await clock.runUntilIdle()
    expect(controls.snapshot()).toMatchObject({ status: "completed" })
  }
})
