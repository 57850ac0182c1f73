import { expect, test } from "vitest"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"

const chart = chartOf([sequence("line", ["writer", "boss"]), llm("writer"), human("boss")])

test("onRun receives started and resumed runs before they make calls", async () => {
  const journal = memoryJournal()
  const seen: unknown[] = []
  const runnerWith = (name: string) =>
    createRunner({
      http: scriptedServices({ writer: [{ content: "a tale" }] }).http,
      journal,
      onRun(run, { chart: ofRun, isResumed }) {
        const types: string[] = []
        run.events$.subscribe(({ type }) => void types.push(type))
        seen.push({ name, id: run.runId, chart: ofRun.id, isResumed, before: types.at(-1) })
      },
    })
  const first = runnerWith("first")
  await first.start(chart, { runId: "r", prompt: "owls" }).whenSettled()
  await first.close()
  const run = await runnerWith("second").resume("r")
  run.answer(String(run.pending()[0]?.id), "yes")
  expect((await run.result).status).toBe("completed")
  expect(seen).toEqual([
    { name: "first", id: "r", chart: "line", isResumed: false, before: "model.called" },
    { name: "second", id: "r", chart: "line", isResumed: true, before: "human.asked" },
  ])
})
