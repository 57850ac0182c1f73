import { expect, test } from "vitest"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { storedEvents } from "../../src/serving/stored-events.js"
import { chartOf, human, sequence } from "../support/workflow.js"

test("a run whose journal reports changes without new records is not read all the time", async () => {
  const journal = memoryJournal()
  const run = createRunner({ journal }).start(chartOf([sequence("all", ["boss"]), human("boss")]))
  await run.whenSettled()
  let reads = 0
  const feed = await storedEvents(
    {
      ...journal,
      async load(runId) {
        reads++
        await new Promise((resolve) => setTimeout(resolve, 30))
        return journal.load(runId)
      },
      watch(_, onChange) {
        const timer = setInterval(onChange, 1)
        return () => clearInterval(timer)
      },
    },
    run.runId,
  )
  reads = 0
  await feed.nextChange(AbortSignal.timeout(600))
  // Each read takes 30 ms, so the pause after it takes 270 ms.
  expect(reads).toBeGreaterThan(0)
  expect(reads).toBeLessThan(5)
})
