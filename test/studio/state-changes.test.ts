import { expect, test } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { StateChanges } from "../../src/studio/page/run/folds/state-changes.js"
import { chartOf, llm, parallel, sequence } from "../support/workflow.js"

test("a value from a parallel branch is attributed to the agent that has set it", async () => {
  const chart = chartOf([
    sequence("all", ["both", "last"]),
    parallel("both", ["left", "right"]),
    llm("left"),
    llm("right"),
    llm("last"),
  ])
  const model = { call: async () => ({ content: "done" }) }
  const run = createRunner({ http: { model, tool: model } }).start(chart, {})
  const changes = new StateChanges()
  const containers: string[] = []
  run.events$.subscribe((event: RunEvent) => {
    changes.apply(event)
    if (event.type === "state.changed") containers.push(event.path)
  })
  await run.result
  expect(containers).toContain("all/both")
  expect(Object.fromEntries(changes.writers)).toEqual({
    left_text: "all/both/left",
    right_text: "all/both/right",
    last_text: "all/last",
  })
})
