import { expect, test } from "vitest"
import { AgentStatechartsError } from "../../../src/errors.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import { chartDifference, createRunner, memoryJournal } from "../../../src/runtime/index.js"
import type { StoredRun } from "../../../src/runtime/index.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { chartOf, human, httpTool, llm, sequence } from "../../support/workflow.js"

const pipeline = (editor = {}, order = ["writer", "boss", "editor"], fields = {}): AgentChart =>
  chartOf(
    [sequence("pipeline", order), llm("writer"), human("boss"), llm("editor", editor)].filter(
      ({ id }) => id === "pipeline" || order.includes(id as string),
    ),
    fields,
  )

async function waiting() {
  const journal = memoryJournal()
  const { http, modelCalls } = scriptedServices({
    writer: [{ content: "A draft." }],
    editor: [{ content: "Edited." }],
  })
  const runner = createRunner({ http, journal })
  await runner.start(pipeline(), { runId: "r1" }).whenSettled()
  await runner.close()
  return { runner, modelCalls, journal }
}

const codeOf = (promise: Promise<unknown>): Promise<AgentStatechartsError> =>
  promise.then(
    () => expect.unreachable("it was not refused"),
    (error: unknown) => error as AgentStatechartsError,
  )

test("a run is resumed if the expected chart equals its own chart", async () => {
  const { runner } = await waiting()
  const run = await runner.resume("r1", {
    chart: JSON.parse(JSON.stringify(pipeline())) as AgentChart,
  })
  expect(run.pending()).toMatchObject([{ id: "pipeline/boss#0" }])
})

test("resuming a run with another chart fails with an error that lists the differences", async () => {
  const { runner } = await waiting()
  const { code, message } = await codeOf(
    runner.resume("r1", { chart: pipeline({ instructions: "Edit." }) }),
  )
  expect(code).toBe("chart_differs")
  expect(message).toContain('agent "editor": instructions was null and is now "Edit."')
})

test("chartDifference lists the changed agents, tools, settings, states and input of two charts", () => {
  const lines = chartDifference(
    pipeline(),
    pipeline({ tools: ["search"] }, ["writer", "editor"], {
      globalTools: [httpTool("search")],
      maxModelCalls: 7,
      state: { a: 1 },
    }),
  )
  expect(lines).toEqual(
    expect.arrayContaining([
      'agent "boss" was removed',
      'agent "editor": tools was [] and is now ["search"]',
      'tool "search" was added',
      "setting: maxModelCalls was 500 and is now 7",
      'input: state was {} and is now {"a":1}',
      "state pipeline.pipeline.boss was removed",
    ]),
  )
  expect(chartDifference(pipeline(), pipeline())).toEqual([])
})

test("adopting an edited chart creates a new run that continues in the state of the old run", async () => {
  const { runner, modelCalls, journal } = await waiting()
  const edited = pipeline({ instructions: "Edit." })
  const run = await runner.adopt("r1", edited, { runId: "r2" })
  run.answer("pipeline/boss#0", "go")
  expect(await run.result).toMatchObject({
    runId: "r2",
    status: "completed",
    state: { writer_text: "A draft.", editor_text: "Edited." },
  })
  expect(modelCalls.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
    "r1/pipeline/writer#0",
    "r2/pipeline/editor#0",
  ])
  expect(modelCalls[1]?.messages[0]).toEqual({ role: "system", content: "Edit." })
  const { header } = journal.load("r2") as StoredRun
  expect(header).toMatchObject({
    chart: { fingerprint: edited.fingerprint },
    forkedFrom: { runId: "r1", at: 1, chart: pipeline().fingerprint },
  })
  const again = await createRunner({ journal, http: scriptedServices({}).http }).resume("r2")
  expect(again.snapshot()).toEqual(await run.result)
})

test("an edited chart that calls an agent before the recorded calls cannot be adopted", async () => {
  const { runner } = await waiting()
  const { code, message } = await codeOf(
    runner.adopt("r1", pipeline({}, ["editor", "writer", "boss"]), { runId: "r2" }),
  )
  expect(code).toBe("chart_differs")
  expect(message).toContain(
    'the first call without a recorded result: agent "editor" calls its model (pipeline/editor#0)',
  )
  expect(message).toContain(
    'not called up to this position: agent "writer" calls its model (pipeline/writer#0)',
  )
})

test("adopt stores nothing if a recorded response would be lost, and the error names its call", async () => {
  const { runner, journal } = await waiting()
  const { code, message } = await codeOf(
    runner.adopt("r1", pipeline({}, ["boss", "editor"]), { runId: "r2" }),
  )
  expect(code).toBe("chart_differs")
  expect(message).toContain('no longer called: agent "writer" calls its model (pipeline/writer#0)')
  expect(Object.keys(journal.toJSON())).toEqual(["r1"])
  expect((await codeOf(runner.adopt("r1", pipeline(), { runId: "r1" }))).code).toBe("input_refused")
})
