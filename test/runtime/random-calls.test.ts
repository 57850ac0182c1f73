import * as fc from "fast-check"
import { expect, test } from "vitest"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { Journal, JournalHeader, JournalRecord } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { ScriptedWorkflow } from "../support/arbitrary-workflow.js"
import { scriptedWorkflowWithCalls } from "../support/arbitrary-workflow.js"
import { bringToEnd, timedServices } from "../support/bring-to-end.js"
import { randomCases } from "../support/random-cases.js"
import { simulatedClock } from "../support/simulated-clock.js"

type Step =
  | { readonly header: JournalHeader }
  | { readonly runId: string; readonly record: JournalRecord }

type Runs = Record<string, { header: JournalHeader; records: JournalRecord[] }>

/** Returns a journal and the list of all headers and records that it stores, in order. */
function watchedJournal(past: readonly Step[]) {
  const steps: Step[] = []
  const runs: Runs = {}
  for (const step of past)
    if ("header" in step) runs[step.header.runId] = { header: step.header, records: [] }
    else runs[step.runId]?.records.push(step.record)
  const memory = memoryJournal(runs)
  const journal: Journal = {
    ...memory,
    create(header) {
      steps.push(structuredClone({ header }))
      return memory.create(header)
    },
    append(runId, record) {
      steps.push(structuredClone({ runId, record }))
      return memory.append(runId, record)
    },
  }
  return { journal, steps }
}

const timeOf = (step: Step | undefined): number =>
  step === undefined ? 0 : "header" in step ? step.header.at : step.record[3]

/** Keeps only the first response of each service, so that a repeated call has the same response. */
const first = (script: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(Object.entries(script).map(([id, answers]) => [id, answers.slice(0, 1)]))

/** Removes deadlines, because time passes while a process is down. */
const steady = ({ agents, models, tools, ...rest }: ScriptedWorkflow): ScriptedWorkflow => ({
  ...rest,
  models: first(models),
  tools: first(tools),
  agents: agents.map(({ maxDuration: _deadline, ...agent }) => agent),
})

test("a random workflow that calls other workflows can be resumed after a kill between any two records", async () => {
  let killed = 0
  await fc.assert(
    fc.asyncProperty(scriptedWorkflowWithCalls.map(steady), fc.nat(), async (workflow, where) => {
      const { agents, fields, called } = workflow
      const chart = compileOrThrow({
        rootAgentId: "a0",
        agents,
        initialUserInput: "go",
        ...fields,
      }) as AgentChart
      const workflows = Object.fromEntries(
        Object.entries(called).map(([name, config]) => [
          name,
          compileOrThrow(config) as AgentChart,
        ]),
      )
      const open = (past: readonly Step[]) => {
        const clock = simulatedClock(past.length === 0 ? undefined : timeOf(past.at(-1)))
        const { journal, steps } = watchedJournal(past)
        const services = { ...timedServices(workflow, clock), workflows, clock, journal }
        return { runner: createRunner(services), clock, steps }
      }
      const whole = open([])
      const { result } = await bringToEnd(whole.runner.start(chart, { runId: "r" }), whole.clock)
      const past = whole.steps.slice(0, 1 + (where % Math.max(1, whole.steps.length)))
      const again = open(past)
      const run = await again.runner.resume("r")
      const { result: resumed } = await bringToEnd(run, again.clock)
      expect(["completed", "failed", "limit"]).toContain(resumed.status)
      // The calls of parallel branches can end in another order after a restart.
      if (JSON.stringify([agents, fields]).includes("ParallelAgent")) return
      killed++
      expect(resumed).toEqual(result)
    }),
    { numRuns: randomCases(150) },
  )
  expect(killed).toBeGreaterThan(0)
})
