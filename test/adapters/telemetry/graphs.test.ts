import { expect, onTestFinished, test } from "vitest"
import { createHttpServices } from "../../../src/adapters/http/index.js"
import { traceRun } from "../../../src/adapters/telemetry/otel/index.js"
import { compileOrThrow } from "../../../src/compiler/index.js"
import { createRunner, memoryJournal, collectCoverage } from "../../../src/runtime/index.js"
import { graph } from "../../kill/graph.mjs"
import { startService } from "../../kill/service.mjs"
import { called, outline, spansKept } from "./spans-of.js"

async function playGraph() {
  const service = await startService()
  onTestFinished(service.close)
  const chart = compileOrThrow(graph(service.base))
  const journal = memoryJournal()
  const run = createRunner({ http: createHttpServices(), journal }).start(chart, { runId: "r" })
  return { chart, journal, run }
}

test("the span of a graph node contains the spans of its agents or of the nodes of its loop", async () => {
  const { chart, run } = await playGraph()
  const { tracer, spans, open } = spansKept()
  traceRun(run, { tracer, chart })
  while ((await run.whenSettled()).status === "waiting")
    for (const { id, kind } of run.pending())
      if (kind === "approval") run.approve(id)
      else run.answer(id, "Oslo")
  await run.result
  expect(open()).toBe(0)
  const lines = outline(spans())
  expect(lines[0]).toBe("invoke_workflow graph")
  for (const line of [
    "  node fetch",
    "  node each",
    "    node score",
    "    node juror",
    "      invoke_agent judge",
    "        execute_tool look",
    "  node broken !http_error",
    "  node rescue",
    "  node confirm",
    "  node ask",
    "    invoke_agent boss",
  ])
    expect(lines).toContain(line)
  expect(lines.filter((line) => line === "      invoke_agent judge")).toHaveLength(2)
  // The service rejects the first request of this node.
  expect(called(spans(), "node fetch").events.map(({ name }) => name)).toContain("retry.scheduled")
})

test("coverage includes the machines of adk nodes", async () => {
  const { chart, journal, run } = await playGraph()
  await run.whenSettled()
  const collector = collectCoverage(chart)
  const stored = await journal.load("r")
  if (stored !== null) collector.add(stored)
  const missing = (): readonly string[] =>
    collector
      .coverage()
      .states.missing.flatMap(({ machine, state }) => (machine === "ask/boss" ? [state] : []))
  expect(missing().length).toBeGreaterThan(2)
  for (const { id } of run.pending()) run.approve(id)
  await run.whenSettled()
  for (const { id } of run.pending()) run.answer(id, "Oslo")
  await run.result
  const ended = await journal.load("r")
  if (ended !== null) collector.add(ended)
  expect(missing()).toEqual(["failed"])
})
