import { expect, test } from "vitest"
import { createRunner, memoryJournal, runAt } from "../../../src/runtime/index.js"
import type { StoredRun } from "../../../src/runtime/index.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { chartOf, human, httpTool, llm, parallel, sequence } from "../../support/workflow.js"

const chart = chartOf(
  [
    sequence("pipeline", ["writer", "boss", "both"]),
    llm("writer", { tools: ["search"] }),
    human("boss"),
    parallel("both", ["left", "right"]),
    llm("left"),
    llm("right"),
  ],
  { globalTools: [httpTool("search")] },
)

async function stored(): Promise<StoredRun> {
  const journal = memoryJournal()
  const { http } = scriptedServices(
    {
      writer: [
        {
          content: null,
          toolCalls: [{ id: "c1", function_name: "search", function_args: { q: "cats" } }],
        },
        { content: "A draft." },
      ],
      left: [{ content: "L" }],
      right: [{ content: "R" }],
    },
    { search: [{ found: 3 }] },
  )
  const run = createRunner({ http, journal }).start(chart, { runId: "r1" })
  await run.whenSettled()
  run.answer("pipeline/boss#0", "go on")
  await run.result
  return journal.load("r1") as StoredRun
}

test("at position 0, a run has started and its first call is in flight", async () => {
  const { at, record, result, inFlight, machines, events } = runAt(await stored(), { at: 0 })
  expect({ at, record, status: result.status }).toEqual({ at: 0, record: null, status: "running" })
  expect(inFlight).toMatchObject([
    {
      n: 0,
      kind: "model",
      agent: "writer",
      path: "pipeline/writer",
      idempotencyKey: "r1/pipeline/writer#0",
      attempt: 1,
    },
  ])
  expect(machines).toMatchObject([
    { machine: "pipeline", states: ["pipeline.writer"] },
    { machine: "llmAgent", path: "pipeline/writer", states: ["callingModel"] },
  ])
  expect(events.map(({ type }) => type)).toContain("model.called")
})

test("between two records, runAt shows the conversation of the agent and the call in flight", async () => {
  const { inFlight, agents, machines } = runAt(await stored(), { at: 1 })
  expect(inFlight).toMatchObject([{ kind: "tool", path: "pipeline/writer/tool:c1" }])
  expect(machines.at(-1)).toMatchObject({ states: ["callingTools"] })
  expect(agents).toMatchObject([{ agent: "writer", isActive: true }])
  expect(agents[0]?.conversation).toEqual([
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: [{ function_call: { id: "c1", name: "search", args: { q: "cats" } } }],
    },
  ])
})

test("runAt shows the pending request and the state of a waiting run", async () => {
  const view = runAt(await stored(), { at: 3 })
  expect(view.result).toMatchObject({ status: "waiting", state: { writer_text: "A draft." } })
  expect(view.pending).toMatchObject([{ id: "pipeline/boss#0", kind: "human", agent: "boss" }])
  expect(view.agents).toMatchObject([{ agent: "writer", isActive: false }])
  expect(view.agents[0]?.conversation.at(-1)).toEqual({ role: "assistant", content: "A draft." })
})

test("runAt shows the agents of parallel branches and their calls in flight", async () => {
  const { machines, inFlight } = runAt(await stored(), { at: 4 })
  expect(machines[0]?.agents.filter(({ kind }) => kind === "LlmAgent")).toMatchObject([
    { agent: "left", branch: "both.0" },
    { agent: "right", branch: "both.1" },
  ])
  expect(inFlight).toHaveLength(2)
})

test("runAt shows the end of the run without a position or with a position after the end", async () => {
  const run = await stored()
  expect(runAt(run, { at: 99 })).toEqual(runAt(run))
  const { at, of, result, machines, events } = runAt(run)
  expect({ at, of, machines }).toEqual({ at: 6, of: 6, machines: [] })
  expect(result).toMatchObject({
    status: "completed",
    state: { writer_text: "A draft.", boss_answer: "go on", left_text: "L", right_text: "R" },
  })
  expect(events.at(-1)).toMatchObject({ type: "run.finished" })
})

test("the events at each position are the first events of the whole run", async () => {
  const run = await stored()
  const views = run.records.map((_, at) => runAt(run, { at }).events)
  const all = runAt(run).events
  for (const events of views) expect(all.slice(0, events.length)).toEqual(events)
})

test("a position that is not a whole number, 0 or greater, is rejected", async () => {
  const run = await stored()
  for (const at of [-1, 0.5, Number.NaN])
    expect(() => runAt(run, { at })).toThrow(expect.objectContaining({ code: "input_refused" }))
})
