import { expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ModelService } from "../../src/machines/contract/services.js"
import type { MemoryJournal } from "../../src/runtime/host/memory-journal.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { RunnerOptions } from "../../src/runtime/runner/runner-options.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { eventsSoFar } from "../../src/runtime/run/events-so-far.js"
import { simulatedClock } from "../support/simulated-clock.js"

const chartOf = (config: object): AgentChart => {
  const { chart, diagnostics } = compile(config)
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

/** A workflow in which a clerk works before and after a person decides. */
const review = chartOf({
  rootAgentId: "flow",
  agents: [
    {
      id: "flow",
      type: "SequentialAgent",
      subAgents: [{ agentId: "reader" }, { agentId: "boss" }, { agentId: "clerk" }],
    },
    { id: "reader", type: "LlmAgent", model: "m" },
    { id: "boss", type: "HumanAgent", prompt: "Approve?", outputKey: "decision" },
    { id: "clerk", type: "LlmAgent", model: "m" },
  ],
})

const caller = (fields: object = {}): AgentChart =>
  chartOf({
    rootAgentId: "caller",
    agents: [{ id: "caller", type: "WorkflowAgent", workflow: "review", ...fields }],
  })

/** A model that answers at once, and counts the calls of each agent. */
function countingModel(): { readonly m: ModelService; readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    m: {
      call: async ({ agent }) => {
        asked.push(agent)
        return { content: `${agent} is done` }
      },
    },
  }
}

/** A model that never answers. */
const silent: ModelService = { call: () => new Promise(() => {}) }

const runnerOn = (journal: MemoryJournal, m: ModelService, more: RunnerOptions = {}) =>
  createRunner({ journal, models: { m }, workflows: { review }, ...more })

/** Returns a journal with the same runs, as another process would open it. */
const reopened = (journal: MemoryJournal): MemoryJournal =>
  memoryJournal(JSON.parse(JSON.stringify(journal)) as ReturnType<MemoryJournal["toJSON"]>)

const child = "p/caller#0"

test("a child run has its own journal entry with a link to its caller", async () => {
  const journal = memoryJournal()
  const run = runnerOn(journal, countingModel().m).start(caller(), {
    runId: "p",
    about: { by: "me" },
  })
  await run.whenSettled()
  expect(journal.list().map(({ runId, chart, calledBy }) => ({ runId, chart, calledBy }))).toEqual([
    { runId: "p", chart: "caller", calledBy: undefined },
    { runId: child, chart: "flow", calledBy: { runId: "p", path: "caller" } },
  ])
  expect(journal.load(child)).toMatchObject({
    header: { calledBy: { runId: "p", path: "caller", depth: 1 }, about: { by: "me" } },
  })
  expect(journal.list().map(({ status }) => status)).toEqual(["waiting", "waiting"])
})

test("cancelling a run cancels its child runs", async () => {
  const journal = memoryJournal()
  const run = runnerOn(journal, silent).start(caller(), { runId: "p" })
  await new Promise(setImmediate)
  run.cancel()
  expect(await run.result).toMatchObject({ status: "cancelled" })
  await expect
    .poll(() => journal.list().map(({ status }) => status))
    .toEqual(["cancelled", "cancelled"])
})

test("a waiting child run is cancelled with its caller", async () => {
  const journal = memoryJournal()
  const run = runnerOn(journal, countingModel().m).start(caller(), { runId: "p" })
  await run.whenSettled()
  run.cancel()
  await run.result
  await expect.poll(() => journal.list()[1]?.status).toBe("cancelled")
})

test("a child run that takes longer than maxDuration is cancelled", async () => {
  const clock = simulatedClock()
  const journal = memoryJournal()
  const runner = runnerOn(journal, silent, { clock, defaultTimeoutMs: 3_600_000 })
  const run = runner.start(caller({ maxDuration: "10s" }), { runId: "p" })
  await clock.runUntilIdle()
  expect(await run.result).toMatchObject({ status: "failed", error: { code: "deadline_passed" } })
  await expect.poll(() => journal.list()[1]?.status).toBe("cancelled")
})

test("both runs resume in another process, and no finished call is repeated", async () => {
  const journal = memoryJournal()
  const before = countingModel()
  const first = runnerOn(journal, before.m).start(caller(), { runId: "p" })
  await first.whenSettled()
  expect(before.asked).toEqual(["reader"])

  const after = countingModel()
  const copy = reopened(journal)
  const run = await runnerOn(copy, after.m).resume("p")
  const rested = await run.whenSettled()
  expect(rested.status).toBe("waiting")
  const [request] = run.pending()
  expect(request?.id).toBe("caller#0/flow/boss#0")
  run.answer(request?.id ?? "", "yes")
  expect(await run.result).toMatchObject({ status: "completed", text: "clerk is done" })
  expect(after.asked).toEqual(["clerk"])
  expect(copy.list().map(({ status }) => status)).toEqual(["completed", "completed"])
})

test("a closed runner suspends child runs and does not cancel them", async () => {
  const journal = memoryJournal()
  const runner = runnerOn(journal, silent)
  runner.start(caller(), { runId: "p" })
  await new Promise(setImmediate)
  await runner.close()
  const run = await runnerOn(journal, countingModel().m).resume("p")
  await run.whenSettled()
  expect(journal.list().map(({ status }) => status)).toEqual(["waiting", "waiting"])
})

test("a child run that is answered directly completes its caller", async () => {
  const journal = memoryJournal()
  const runner = runnerOn(journal, countingModel().m)
  const run = runner.start(caller(), { runId: "p" })
  await run.whenSettled()
  const inner = await runner.resume(child)
  inner.answer("flow/boss#0", "no")
  expect(await run.result).toMatchObject({ status: "completed", text: "clerk is done" })
  expect(eventsSoFar(run)).toContainEqual(
    expect.objectContaining({ type: "human.answered", answer: { answeredIn: child } }),
  )
})

test("a child run that ended while its caller was stopped is not executed again", async () => {
  const journal = memoryJournal()
  const first = runnerOn(journal, countingModel().m)
  await first.start(caller(), { runId: "p" }).whenSettled()
  await first.close()
  const alone = runnerOn(journal, countingModel().m)
  const inner = await alone.resume(child)
  inner.answer("flow/boss#0", "yes")
  expect(await inner.result).toMatchObject({ status: "completed" })
  const last = countingModel()
  const run = await runnerOn(journal, last.m).resume("p")
  expect(await run.result).toMatchObject({ status: "completed", text: "clerk is done" })
  expect(last.asked).toEqual([])
})

test("a caller waits for a child run that another process executes", async () => {
  const clock = simulatedClock()
  const journal = memoryJournal()
  const first = runnerOn(journal, countingModel().m)
  await first.start(caller(), { runId: "p" }).whenSettled()
  await first.close()
  const inner = await runnerOn(journal, countingModel().m).resume(child)
  const run = await runnerOn(journal, countingModel().m, { clock }).resume("p")
  await expect.poll(() => clock.waiting).toBe(1)
  expect(run.status).toBe("running")
  inner.answer("flow/boss#0", "yes")
  await inner.result
  await clock.runUntilIdle()
  expect(await run.result).toMatchObject({ status: "completed", text: "clerk is done" })
})

test("a request of a child run is pending while another branch of the child run is running", async () => {
  const journal = memoryJournal()
  let finish: (answer: object) => void = () => {}
  const slow: ModelService = { call: () => new Promise((resolve) => (finish = resolve)) }
  const both = chartOf({
    rootAgentId: "both",
    agents: [
      { id: "both", type: "ParallelAgent", subAgents: [{ agentId: "boss" }, { agentId: "clerk" }] },
      { id: "boss", type: "HumanAgent", prompt: "Approve?" },
      { id: "clerk", type: "LlmAgent", model: "m" },
    ],
  })
  const runner = createRunner({ journal, models: { m: slow }, workflows: { review: both } })
  const run = runner.start(caller(), { runId: "p" })
  await expect.poll(() => run.pending().length).toBe(1)
  expect(run.status).toBe("running")
  run.answer(run.pending()[0]?.id ?? "", "yes")
  expect(run.pending()).toEqual([])
  finish({ content: "filed" })
  expect(await run.result).toMatchObject({ status: "completed", text: "filed" })
})

test("a run can have several child runs at the same time, which can be answered in any order", async () => {
  const journal = memoryJournal()
  const chart = chartOf({
    rootAgentId: "all",
    agents: [
      {
        id: "all",
        type: "ParallelAgent",
        subAgents: ["a", "b", "c"].map((agentId) => ({ agentId })),
      },
      ...["a", "b", "c"].map((id) => ({
        id,
        type: "WorkflowAgent",
        workflow: "review",
        output: "state",
        outputKey: id,
      })),
    ],
  })
  const run = runnerOn(journal, countingModel().m).start(chart, { runId: "p" })
  await run.whenSettled()
  expect(
    run
      .pending()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(["a", "b", "c"].map((id) => `all/${id}#0/flow/boss#0`))
  for (const id of ["c", "a", "b"]) run.answer(`all/${id}#0/flow/boss#0`, id)
  expect((await run.result).state).toMatchObject({
    a: { decision: "a" },
    b: { decision: "b" },
    c: { decision: "c" },
  })
})

test("a fork of a run starts its own child runs", async () => {
  const journal = memoryJournal()
  const runner = runnerOn(journal, countingModel().m)
  await runner.start(caller(), { runId: "p" }).whenSettled()
  const forked = await runner.fork("p", { at: 0, runId: "q" })
  await forked.whenSettled()
  expect(journal.list().map(({ runId }) => runId)).toContain("q/caller#0")
})

test("a fork of a child run has no caller, so it is not cancelled when it resumes", async () => {
  const journal = memoryJournal()
  const first = runnerOn(journal, countingModel().m)
  await first.start(caller(), { runId: "p" }).whenSettled()
  await first.fork(child, { at: 1, runId: "q" })
  await first.close()
  const fork = await runnerOn(journal, countingModel().m).resume("q")
  expect(await fork.whenSettled()).toMatchObject({ status: "waiting" })
})

test("a suspended child run whose caller was cancelled is cancelled when it resumes", async () => {
  const journal = memoryJournal()
  const first = runnerOn(journal, countingModel().m)
  await first.start(caller(), { runId: "p" }).whenSettled()
  await first.close()
  // The calling process was killed after it had stored the cancellation.
  const stopped = [-1, "", { type: "run.stopped", as: "cancelled", at: 1 }, 1] as const
  await journal.append("p", stopped)
  const last = countingModel()
  const inner = await runnerOn(journal, last.m).resume(child)
  expect(await inner.result).toMatchObject({ status: "cancelled" })
  expect(last.asked).toEqual([])
})
