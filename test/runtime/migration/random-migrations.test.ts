import * as fc from "fast-check"
import { expect, test } from "vitest"
import { compile } from "../../../src/compiler/compile.js"
import { compileOrThrow } from "../../../src/compiler/compile-or-throw.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { CallOptions } from "../../../src/machines/contract/services.js"
import type { Run, StoredRun } from "../../../src/runtime/index.js"
import { compatible, createRunner, memoryJournal, migrateRuns } from "../../../src/runtime/index.js"
import type { ScriptedWorkflow } from "../../support/arbitrary-workflow.js"
import { scriptedWorkflowWithCalls } from "../../support/arbitrary-workflow.js"
import { bringToEnd, timedServices } from "../../support/bring-to-end.js"
import { configWithPerson, editedConfig, workflowEdit } from "../../support/edited-workflow.js"
import { randomCases } from "../../support/random-cases.js"
import { simulatedClock } from "../../support/simulated-clock.js"
import { parallel, sequence } from "../../support/workflow.js"

/** Services that record all calls, and the calls that ended without being aborted. */
function notedServices(workflow: ScriptedWorkflow, clock = simulatedClock()) {
  const made: string[] = []
  const ended: string[] = []
  const { model, tool } = timedServices(workflow, clock).http
  const noted =
    <Request extends { readonly idempotencyKey: string; readonly attempt: number }>(
      call: (request: Request, options: CallOptions) => Promise<unknown>,
    ) =>
    (request: Request, options: CallOptions): Promise<unknown> => {
      const name = `${request.idempotencyKey} ${request.attempt}`
      made.push(name)
      return call(request, options).finally(() => {
        if (!options.signal.aborted) ended.push(name)
      })
    }
  return {
    made,
    ended,
    clock,
    services: { http: { model: { call: noted(model.call) }, tool: { call: noted(tool.call) } } },
  }
}

const answerTypes = [
  "human.answered",
  "human.approved",
  "human.rejected",
  "user.said",
  "tool.delivered",
]

const answersIn = ({ records }: StoredRun): number =>
  records.filter(
    ([n, , event]) => n === -1 && answerTypes.includes((event as { type: string }).type),
  ).length

const workflowsOf = ({ called }: ScriptedWorkflow): Readonly<Record<string, AgentChart>> =>
  Object.fromEntries(Object.entries(called).map(([name, config]) => [name, compileOrThrow(config)]))

const idsOf = (run: Run): readonly string[] =>
  run
    .pending()
    .map(({ id }) => id)
    .sort()

/** Answers the first pending requests, and returns whether the run still waits. */
async function answerSome(run: Run, many: number, idle: () => Promise<void>): Promise<boolean> {
  await idle()
  for (let n = 0; n < many && run.status === "waiting"; n++) {
    const request = run.pending()[0]
    if (request === undefined) break
    if (request.kind === "approval") run.approve(request.id)
    else if (request.kind === "input") run.say("tell me", { request: request.id })
    else if (request.kind === "tool") run.deliver(request.id, { delivered: 1 })
    else run.answer(request.id, request.choices?.[1] ?? "yes")
    await idle()
  }
  return run.status === "waiting"
}

const counts = { adoptable: 0, forkable: 0, kept: 0, proved: 0 }

test("a migration repeats no finished calls and loses no answers, and `compatible` is always right", async () => {
  await fc.assert(
    fc.asyncProperty(
      scriptedWorkflowWithCalls,
      workflowEdit,
      fc.nat(4),
      fc.constantFrom(sequence, parallel),
      async (workflow, edit, answers, container) => {
        const config = configWithPerson(workflow, container)
        const chart = compileOrThrow(config)
        const newConfig = editedConfig(config, edit)
        const newChart = newConfig === null ? null : compile(newConfig).chart
        if (newChart === null) return
        const journal = memoryJournal()
        const workflows = workflowsOf(workflow)
        const before = notedServices(workflow)
        const runner = createRunner({ ...before.services, workflows, journal, clock: before.clock })
        const run = runner.start(chart, { runId: "r" })
        const waits = await answerSome(run, answers, () => before.clock.runUntilIdle())
        const pending = idsOf(run)
        await runner.close()
        if (!waits) return
        const stored = journal.load("r") as StoredRun
        const json = JSON.stringify(stored)
        const { clock } = before
        const [migration] = (await migrateRuns(journal, newChart, { clock, runIds: ["r"] })).runs
        const { verdict } = compatible(chart, newChart)
        if (verdict !== "depends") {
          counts.proved++
          expect(migration?.verdict).toBe(verdict === "identical" ? "current" : "adoptable")
        }
        if (migration?.result !== "migrated") {
          counts.kept++
          expect(JSON.stringify(journal.load("r"))).toBe(json)
          return
        }
        const isAdoptable = migration.verdict === "adoptable"
        counts[isAdoptable ? "adoptable" : "forkable"]++
        const migrated = journal.load("r") as StoredRun
        expect(migrated.header.chart).toEqual(newChart)
        expect(answersIn(migrated)).toBe(answersIn(stored))
        if (isAdoptable) expect(migrated.records).toEqual(stored.records)
        const after = notedServices(
          { ...workflow, models: { ...workflow.models, extra: [{ content: "extra" }] } },
          clock,
        )
        const next = createRunner({ ...after.services, workflows, journal, clock })
        const resumed = await next.resume("r")
        if (isAdoptable) expect(idsOf(resumed)).toEqual(pending)
        await bringToEnd(resumed, clock)
        expect(after.made.filter((call) => before.ended.includes(call))).toEqual([])
        await next.close()
      },
    ),
    { numRuns: randomCases(300) },
  )
  expect(Math.min(counts.adoptable, counts.proved)).toBeGreaterThan(0)
})
