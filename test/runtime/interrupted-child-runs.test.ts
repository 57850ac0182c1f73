import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import type { ModelService } from "../../src/machines/contract/services.js"
import type { CompleteJournal } from "../../src/runtime/journal/journal.js"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import type { RunnerOptions } from "../../src/runtime/index.js"
import { openRuns } from "../../src/server/runs/open-runs.js"
import { chartOf } from "../support/in-both-interpreters.js"

const count = 40
const names = Array.from({ length: count }, (_, index) => `call${index}`)

const leafConfig = {
  rootAgentId: "leaf",
  agents: [{ id: "leaf", type: "LlmAgent", model: "m" }],
}
const leaf = chartOf(leafConfig)

/** A workflow that calls another workflow `count` times at the same time. */
const caller = chartOf({
  rootAgentId: "all",
  agents: [
    { id: "all", type: "ParallelAgent", subAgents: names.map((agentId) => ({ agentId })) },
    ...names.map((id) => ({ id, type: "WorkflowAgent", workflow: "leaf", outputKey: id })),
  ],
})

const silent: ModelService = { call: () => new Promise(() => {}) }
const answering: ModelService = { call: async () => ({ content: "done" }) }
const optionsWith = (m: ModelService): RunnerOptions => ({ models: { m }, workflows: { leaf } })

type StoredRuns = ReturnType<ReturnType<typeof memoryJournal>["toJSON"]>

/** Returns the runs of a process that was killed while all child runs were waiting for a model. */
async function interrupted(): Promise<StoredRuns> {
  const journal = memoryJournal()
  createRunner({ ...optionsWith(silent), journal }).start(caller, { runId: "p" })
  await expect.poll(() => journal.list().length).toBe(count + 1)
  return structuredClone(journal.toJSON())
}

/** Returns a journal with these runs, and the ids of the runs that were loaded from it. */
function countingJournal(runs: StoredRuns): {
  readonly journal: CompleteJournal
  readonly loads: string[]
} {
  const stored = memoryJournal(runs)
  const loads: string[] = []
  const load: CompleteJournal["load"] = (runId) => {
    loads.push(runId)
    return stored.load(runId)
  }
  // The cast is safe: the memory journal has all methods of a complete journal.
  return { journal: { ...stored, load }, loads }
}

const cancelled = [-1, "", { type: "run.stopped", as: "cancelled", at: 1 }, 1] as const

test("resuming all interrupted runs loads each calling run a constant number of times", async () => {
  const { journal, loads } = countingJournal(await interrupted())
  const { resumed, failed } = await createRunner({
    ...optionsWith(answering),
    journal,
  }).resumeInterrupted()
  expect(failed).toEqual([])
  expect(resumed).toHaveLength(count + 1)
  expect(loads.filter((runId) => runId === "p").length).toBeLessThanOrEqual(2)
  expect(loads.length).toBeLessThanOrEqual(2 * count + 2)
  const results = await Promise.all(resumed.map(({ result }) => result))
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["completed"]))
})

test("the child runs of a cancelled run are cancelled, and their caller is loaded at most twice", async () => {
  const runs = await interrupted()
  const { p, ...others } = runs
  if (p === undefined) throw new Error("the calling run is not stored")
  // The calling process was killed after it had stored the cancellation.
  const { journal, loads } = countingJournal({
    ...others,
    p: { ...p, records: [...p.records, cancelled] },
  })
  const { resumed, failed } = await createRunner({
    ...optionsWith(answering),
    journal,
  }).resumeInterrupted()
  expect(failed).toEqual([])
  const results = await Promise.all(resumed.map(({ result }) => result))
  expect(results.map(({ status }) => status)).toEqual(
    Array.from({ length: count + 1 }, () => "cancelled"),
  )
  expect(loads.filter((runId) => runId === "p").length).toBeLessThanOrEqual(2)
})

const path = mkdtempSync(join(tmpdir(), "interrupted-"))
afterAll(() => rmSync(path, { recursive: true }))

test("a server resumes a run before its child runs", async () => {
  writeFileSync(join(path, "leaf.json"), JSON.stringify(leafConfig))
  const { journal, loads } = countingJournal(await interrupted())
  const server = openRuns({
    path,
    journal,
    openServices: async () => ({ calls: optionsWith(answering), close: async () => {} }),
    resume: {},
  })
  expect(await server.resume()).toEqual({ resumed: count + 1, interrupted: 0 })
  expect(loads.filter((runId) => runId === "p").length).toBeLessThanOrEqual(3)
  await server.close()
})
