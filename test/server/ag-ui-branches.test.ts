import { expect, test } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { createRunner } from "../../src/runtime/index.js"
import { agUiTranslation } from "../../src/server/protocols/ag-ui/ag-ui-events.js"
import { chartOf, llm, parallel, sequence } from "../support/workflow.js"

test("AG-UI finishes the steps of cancelled branches, and reports the number of branches", async () => {
  const chart = chartOf([
    sequence("line", ["all", "end"]),
    parallel("all", ["worker"], {
      forEach: { items: "['slow', 'quick', 'slow']", collect: { out: "worker_text" } },
      completion: "first-success",
    }),
    llm("worker"),
    llm("end"),
  ])
  const model = {
    call: async (
      {
        agent,
        state,
      }: { readonly agent: string; readonly state: Readonly<Record<string, unknown>> },
      { signal }: { readonly signal: AbortSignal },
    ) => {
      if (agent === "end" || state["item"] === "quick") return { content: "done" }
      return new Promise<never>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped"))),
      )
    },
  }
  const run = createRunner({ http: { model, tool: model } }).start(chart)
  const translation = agUiTranslation([])
  const open: string[] = []
  const custom: unknown[] = []
  const openAtEnd: string[][] = []
  run.events$.subscribe((event: RunEvent) => {
    for (const { type, stepName, name, value } of translation.next(event)) {
      if (type === "STEP_STARTED") open.push(String(stepName))
      if (type === "STEP_FINISHED") open.splice(open.indexOf(String(stepName)), 1)
      if (type === "CUSTOM") custom.push({ [String(name)]: value })
    }
    if (event.type === "agent.started" && event.agent === "end") openAtEnd.push([...open])
  })
  expect(await run.result).toMatchObject({
    status: "completed",
    state: { out: [null, "done", null] },
  })
  expect(openAtEnd).toEqual([["line", "line/end"]])
  expect(custom).toEqual([
    { "parallel.expanded": { agent: "all", path: "line/all", count: 3 } },
    {
      "parallel.settled": {
        agent: "all",
        path: "line/all",
        successes: 1,
        failures: 0,
        cancelled: ["all.0", "all.2"],
      },
    },
  ])
})
