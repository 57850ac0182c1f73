import { expect, test } from "vitest"
import type { MemoryJournal } from "../../src/runtime/host/memory-journal.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"
import { scriptedServices } from "../support/scripted-services.js"
import { describeJournal } from "./journal-contract.js"

const places = new Map<string, MemoryJournal>()
describeJournal("memory", (place) => {
  const journal = places.get(place) ?? memoryJournal()
  places.set(place, journal)
  return journal
})

test("a run fails with journal_failed and makes no further calls if its journal fails", async () => {
  const journal = memoryJournal()
  const services = scriptedServices({ one: [{ content: "a" }], two: [{ content: "b" }] })
  const broken = { ...journal, append: () => Promise.reject(new Error("the cable is cut")) }
  const run = createRunner({ ...services, journal: broken }).start(
    chartOf([
      { type: "ParallelAgent", id: "both", subAgents: [{ agentId: "one" }, { agentId: "two" }] },
      llm("one"),
      llm("two"),
    ]),
    { runId: "r" },
  )
  expect(await run.result).toMatchObject({
    status: "failed",
    error: { code: "journal_failed", message: "the journal failed: the cable is cut" },
  })
  const again = await createRunner({ ...services, journal }).resume("r")
  expect((await again.result).status).toBe("completed")
})
test("a memory journal with keepEnded: false deletes the runs that have ended, and no other runs", async () => {
  const journal = memoryJournal({}, { keepEnded: false })
  const runner = createRunner({ ...scriptedServices({ one: [{ content: "a" }] }), journal })
  await runner.start(chartOf([sequence("all", ["one"]), llm("one")]), { runId: "ended" }).result
  await runner.start(chartOf([human("boss")]), { runId: "waits" }).whenSettled()
  await runner.close()
  expect(journal.list()).toMatchObject([{ runId: "waits", status: "waiting" }])
  await expect(createRunner({ journal }).resume("ended")).rejects.toMatchObject({
    code: "run_unknown",
  })
  const again = await createRunner({ journal }).resume("waits")
  again.answer(again.pending()[0]?.id ?? "", "Yes.")
  expect((await again.result).status).toBe("completed")
  expect(journal.list()).toEqual([])
})
