import { expect, test } from "vitest"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, llm, loop, parallel, sequence } from "../support/workflow.js"

const ids = (n: number): readonly string[] => Array.from({ length: n }, (_, index) => `a${index}`)

test.each([
  ["a sequence", (n: number) => [sequence("line", ids(n)), ...ids(n).map((id) => llm(id))]],
  ["a loop", (n: number) => [loop("rounds", ids(n), 2), ...ids(n).map((id) => llm(id))]],
  ["a parallel block", (n: number) => [parallel("fan", ids(n)), ...ids(n).map((id) => llm(id))]],
])("the size of the chart of %s per agent does not grow with the number of agents", (_, agents) => {
  const perAgent = (n: number): number => JSON.stringify(chartOf(agents(n))).length / n
  expect(perAgent(1600)).toBeLessThan(perAgent(100) * 1.1)
})

test("the warning about agents that exitFlow skips names ten agents and counts the others", async () => {
  const chart = chartOf([sequence("line", ids(40)), ...ids(40).map((id) => llm(id))])
  const { http } = scriptedServices({ a0: [{ content: "enough", exitFlow: true }] })
  const warnings: string[] = []
  const run = createRunner({ http }).start(chart)
  run.events$.subscribe((event) => event.type === "warning" && warnings.push(event.message))
  expect((await run.result).status).toBe("completed")
  expect(warnings).toEqual([
    expect.stringContaining("are skipped: a1, a2, a3, a4, a5, a6, a7, a8, a9, a10 and 29 more."),
  ])
})
