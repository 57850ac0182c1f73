import { describe, expect, test } from "vitest"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { Run, StoredRun } from "../../../src/runtime/index.js"
import { createRunner, memoryJournal, migrateRuns } from "../../../src/runtime/index.js"
import type { Script } from "../../support/scripted-services.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { chartOf, human, llm, loop, parallel, sequence } from "../../support/workflow.js"

const script: Script = Object.fromEntries(
  ["writer", "editor", "checker", "extra", "first"].map((id) => [id, [{ content: `by ${id}` }]]),
)

interface Journaled {
  readonly journal: ReturnType<typeof memoryJournal>
  /** Returns a stored run. */
  stored(runId?: string): StoredRun
  /** Resumes the run, answers its requests until it ends, and returns its calls and its state. */
  finish(runId?: string): Promise<{
    readonly keys: readonly string[]
    readonly status: string
    readonly state: Readonly<Record<string, unknown>>
  }>
}

const answerAll = async (run: Run): Promise<void> => {
  for (let request = run.pending()[0]; request !== undefined; request = run.pending()[0]) {
    run.answer(request.id, `answer to ${request.id}`)
    await run.whenSettled()
  }
}

/** A journal with one open run `r` of a chart, whose first requests are answered. */
async function opened(chart: AgentChart, answers = 0): Promise<Journaled> {
  const journal = memoryJournal()
  const runner = createRunner({ ...scriptedServices(script), journal })
  const run = runner.start(chart, { runId: "r" })
  await run.whenSettled()
  for (let n = 0; n < answers; n++) {
    const id = run.pending()[0]?.id ?? ""
    run.answer(id, `answer to ${id}`)
    await run.whenSettled()
  }
  await runner.close()
  return {
    journal,
    stored: (runId = "r") => journal.load(runId) as StoredRun,
    async finish(runId = "r") {
      const services = scriptedServices(script)
      const again = await createRunner({ ...services, journal }).resume(runId)
      await again.whenSettled()
      await answerAll(again)
      const { status, state } = await again.result
      return {
        keys: services.modelCalls.map(({ idempotencyKey }) => idempotencyKey),
        status,
        state,
      }
    },
  }
}

const line = (
  agents: readonly string[],
  fields: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
) =>
  chartOf([
    sequence("line", agents),
    ...agents.map((id) => (id.startsWith("boss") ? human : llm)(id, fields[id])),
  ])

const before = line(["writer", "boss", "editor"])

describe("a waiting run of a workflow whose later agents were edited", () => {
  test("is adopted, keeps its id, records and answers, and continues with the new chart", async () => {
    const { journal, stored, finish } = await opened(before)
    const after = line(["writer", "boss", "editor", "checker"], {
      writer: { instructions: "Shorter." },
      boss: { prompt: "Good?" },
    })
    const records = [...stored().records]
    const report = await migrateRuns(journal, after)
    expect(report).toMatchObject({
      isComplete: true,
      runs: [{ runId: "r", verdict: "adoptable", reason: "same-records", result: "migrated" }],
    })
    expect(stored().records).toEqual(records)
    expect(stored().header).toMatchObject({
      chart: after,
      migrations: [{ chart: before.fingerprint, records: 1 }],
    })
    expect(journal.list()).toMatchObject([{ status: "waiting", pending: [{ prompt: "Good?" }] }])
    expect(await finish()).toMatchObject({
      keys: ["r/line/editor#0", "r/line/checker#0"],
      status: "completed",
      state: { writer_text: "by writer", boss_answer: "answer to line/boss#0" },
    })
  })

  test("is not changed by a dry run or by a second migration", async () => {
    const { journal } = await opened(before)
    const after = line(["writer", "boss", "checker"])
    const stored = JSON.stringify(journal)
    const dry = await migrateRuns(journal, after, { dryRun: true })
    expect(dry.runs).toMatchObject([{ verdict: "adoptable", result: "unchanged" }])
    expect(JSON.stringify(journal)).toBe(stored)
    await migrateRuns(journal, after)
    const once = JSON.stringify(journal)
    expect((await migrateRuns(journal, after)).runs).toMatchObject([
      { verdict: "current", result: "unchanged" },
    ])
    expect(JSON.stringify(journal)).toBe(once)
  })
})

test("a run whose branches are in another order is forkable, keeps all records, and repeats no call", async () => {
  const both = (branches: readonly string[]) =>
    chartOf([parallel("both", branches), llm("writer"), human("boss"), llm("editor")])
  const { journal, stored, finish } = await opened(both(["writer", "boss", "editor"]))
  const report = await migrateRuns(journal, both(["editor", "writer", "boss"]))
  expect(report.runs).toMatchObject([
    {
      verdict: "forkable",
      reason: "same-answers",
      at: 0,
      lost: { answers: [], calls: [] },
      result: "migrated",
    },
  ])
  expect(stored().header.migrations).toMatchObject([{ records: 2, sameUntil: 0 }])
  expect(await finish()).toMatchObject({
    keys: [],
    status: "completed",
    state: { writer_text: "by writer", editor_text: "by editor" },
  })
})

describe("a run that would lose records", () => {
  const after = line(["first", "writer", "boss", "editor"])

  test("is forkable, and keeps its chart by default", async () => {
    const { journal, finish } = await opened(before)
    const stored = JSON.stringify(journal)
    expect((await migrateRuns(journal, after)).runs).toMatchObject([
      {
        verdict: "forkable",
        reason: "loses-records",
        at: 0,
        lost: { answers: [], calls: ['agent "writer" calls its model (line/writer#0)'] },
        result: "unchanged",
      },
    ])
    expect(JSON.stringify(journal)).toBe(stored)
    expect(await finish()).toMatchObject({ keys: ["r/line/editor#0"] })
  })

  test("is forked on request: the fork repeats calls under its own keys, and the old run is cancelled", async () => {
    const { journal, stored, finish } = await opened(before)
    const forkId = `r~${after.fingerprint.slice(0, 8)}`
    expect((await migrateRuns(journal, after, { fork: true })).runs).toMatchObject([
      { runId: "r", verdict: "forkable", result: "forked", forkId },
    ])
    expect(journal.list()).toMatchObject([
      { runId: "r", status: "cancelled", owner: null, pending: [] },
      { runId: forkId, status: "running", owner: null },
    ])
    expect(stored(forkId).header.forkedFrom).toEqual({
      runId: "r",
      at: 0,
      chart: before.fingerprint,
    })
    expect((await finish(forkId)).keys).toEqual(
      ["first", "writer", "editor"].map((id) => `${forkId}/line/${id}#0`),
    )
    expect((await finish()).status).toBe("cancelled")
  })

  test("is cancelled and not forked again if an interrupted migration has stored its fork", async () => {
    const { journal } = await opened(before)
    const broken = {
      ...journal,
      append: () => Promise.reject(new Error("the cable is cut")),
    }
    await expect(migrateRuns(broken, after, { fork: true })).rejects.toThrow("the cable is cut")
    expect(journal.list()).toMatchObject([
      { runId: "r", status: "waiting" },
      { status: "running", owner: null },
    ])
    const forkId = journal.list()[1]?.runId ?? ""
    const fork = journal.load(forkId)
    await migrateRuns(journal, after, { fork: true, runIds: ["r"] })
    expect(journal.load(forkId)).toEqual(fork)
    expect(journal.list()).toMatchObject([{ status: "cancelled" }, { status: "running" }])
  })
})

test("a run that would fail with the new chart stays on its chart, even with fork", async () => {
  const twice = (fields: Readonly<Record<string, unknown>>) =>
    chartOf([loop("twice", ["writer", "boss"], 3), llm("writer"), human("boss")], fields)
  const { journal } = await opened(twice({}), 1)
  const { runs } = await migrateRuns(journal, twice({ maxModelCalls: 1 }), { fork: true })
  expect(runs).toMatchObject([{ verdict: "stays", reason: "would-fail", result: "unchanged" }])
})

test("runs that have ended or that a process executes are not changed", async () => {
  const { journal } = await opened(before, 1)
  const runner = createRunner({ ...scriptedServices(script), journal })
  await runner.start(before, { runId: "held" }).whenSettled()
  const stored = JSON.stringify(journal)
  const { runs } = await migrateRuns(journal, line(["writer", "boss", "checker"]))
  expect(runs).toMatchObject([
    { runId: "held", verdict: "skipped", reason: "owned", result: "unchanged" },
  ])
  expect(JSON.stringify(journal)).toBe(stored)
})

test("an unknown run and a run of another workflow are refused before any run is changed", async () => {
  const { journal } = await opened(before)
  const other = chartOf([sequence("other", ["boss"]), human("boss")])
  await expect(migrateRuns(journal, before, { runIds: ["x"] })).rejects.toMatchObject({
    code: "run_unknown",
  })
  await expect(migrateRuns(journal, other, { runIds: ["r"] })).rejects.toMatchObject({
    code: "chart_differs",
  })
  expect((await migrateRuns(journal, other)).runs).toEqual([])
})
