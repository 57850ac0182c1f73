import { expect, test } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import type { Journal, Run, Runner, RunnerOptions } from "../../src/runtime/index.js"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { chartOf as adkChartOf } from "../support/in-both-interpreters.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"
import { scriptedServices } from "../support/scripted-services.js"

const chart = chartOf([
  sequence("all", ["first", "boss", "second", "chief", "third"]),
  llm("first"),
  human("boss"),
  llm("second"),
  human("chief"),
  llm("third"),
])

/** Returns a runner that keeps only one waiting run in memory, and the number of its model calls. */
const runnerWithOneIdleRun = (
  more: RunnerOptions = {},
): { readonly runner: Runner; readonly asked: () => number } => {
  const services = scriptedServices({
    first: [{ content: "one" }],
    second: [{ content: "two" }],
    third: [{ content: "three" }],
  })
  let asked = 0
  const model = {
    call: (...call: Parameters<typeof services.http.model.call>) => (
      asked++,
      services.http.model.call(...call)
    ),
  }
  return {
    runner: createRunner({ http: { ...services.http, model }, maxIdleRuns: 1, ...more }),
    asked: () => asked,
  }
}

const startMany = async (runner: Runner, count: number): Promise<readonly Run[]> => {
  const runs = Array.from({ length: count }, (_, nth) =>
    runner.start(chart, { runId: `r${nth}`, prompt: `Go ${nth}.` }),
  )
  await Promise.all(runs.map((run) => run.whenSettled()))
  return runs
}

const answer = (run: Run, value: string): void => run.answer(run.pending()[0]?.id ?? "", value)

const typesOf = (events: readonly RunEvent[]): readonly string[] =>
  events.map(({ type, path }) => `${type} ${path}`)

test("an evicted run continues without repeating calls or events", async () => {
  const { runner, asked } = runnerWithOneIdleRun()
  const alone = createRunner(
    scriptedServices({
      first: [{ content: "one" }],
      second: [{ content: "two" }],
      third: [{ content: "three" }],
    }),
  ).start(chart, { runId: "r0", prompt: "Go 0." })
  const undisturbed: RunEvent[] = []
  alone.events$.subscribe((event) => undisturbed.push(event))
  const heard: RunEvent[][] = Array.from({ length: 4 }, () => [])
  const runs = Array.from({ length: 4 }, (_, nth) => {
    const run = runner.start(chart, { runId: `r${nth}`, prompt: `Go ${nth}.` })
    run.events$.subscribe((event) => heard[nth]?.push(event))
    return run
  })
  const results = runs.map(({ result }) => result)
  await Promise.all(runs.map((run) => run.whenSettled()))
  for (const value of ["Yes.", "Go on."]) {
    for (const run of runs) {
      expect(run.pending()).toMatchObject([{ kind: "human" }])
      answer(run, value)
    }
    await Promise.all(runs.map((run) => run.whenSettled()))
  }
  await alone.whenSettled()
  answer(alone, "Yes.")
  await alone.whenSettled()
  answer(alone, "Go on.")
  const expected = await alone.result
  for (const [nth, result] of results.entries()) {
    const { status, state, text } = await result
    expect({ status, state, text }).toEqual({
      status: "completed",
      state: expected.state,
      text: "three",
    })
    expect(typesOf(heard[nth] ?? [])).toEqual(typesOf(undisturbed))
    expect(heard[nth]?.map(({ seq }) => seq)).toEqual(heard[nth]?.map((_, seq) => seq))
  }
  expect(asked()).toBe(3 * runs.length)
})

test("a subscriber of an evicted run receives the past events, then the new ones", async () => {
  const [first] = await startMany(runnerWithOneIdleRun().runner, 3)
  const events: RunEvent[] = []
  first?.events$.subscribe((event) => events.push(event))
  expect(events.at(-1)).toMatchObject({ type: "human.asked", agent: "boss" })
  answer(first as Run, "Yes.")
  await first?.whenSettled()
  expect(events.at(-1)).toMatchObject({ type: "human.asked", agent: "chief" })
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq))
})

test("an evicted run has the same pending requests and snapshot, and rejects the same answers", async () => {
  const { runner } = runnerWithOneIdleRun()
  const [first] = await startMany(runner, 3)
  const ready = runnerWithOneIdleRun({ maxIdleRuns: 10 })
  const [same] = await startMany(ready.runner, 3)
  expect(
    first?.pending().map(({ id, kind, agent, prompt }) => ({ id, kind, agent, prompt })),
  ).toEqual(same?.pending().map(({ id, kind, agent, prompt }) => ({ id, kind, agent, prompt })))
  expect(() => first?.answer("other", 1)).toThrow(
    expect.objectContaining({ code: "request_unknown" }),
  )
  expect(first?.status).toBe("waiting")
  expect(first?.snapshot()).toEqual(same?.snapshot())
  expect(await first?.whenSettled()).toMatchObject({ status: "waiting" })
})

test("an evicted run can be cancelled, and its runner can be closed", async () => {
  const journal = memoryJournal()
  const { runner } = runnerWithOneIdleRun({ journal })
  const [first, second, third] = await startMany(runner, 3)
  first?.cancel()
  expect(await first?.result).toMatchObject({ status: "cancelled", state: { first_text: "one" } })
  await runner.close()
  expect(await second?.result).toMatchObject({ status: "waiting" })
  expect(() => answer(second as Run, "Yes.")).toThrow(
    expect.objectContaining({ code: "run_suspended" }),
  )
  const again = await runnerWithOneIdleRun({ journal }).runner.resume(third?.runId ?? "")
  answer(again, "Yes.")
  expect(await again.whenSettled()).toMatchObject({
    state: { boss_answer: "Yes.", second_text: "two" },
  })
})

test("a host function that waits for an answer continues after its run was evicted", async () => {
  let begun = 0
  const services = {
    ask: async (context: { ask(prompt: string): Promise<string> }) => {
      begun++
      return `It was ${await context.ask("Which?")}.`
    },
  }
  const asking = adkChartOf({
    rootAgentId: "asker",
    agents: [{ type: "CustomAgent", id: "asker", service: "ask" }],
    initialUserInput: "go",
  })
  const runner = createRunner({ services: services as never, maxIdleRuns: 1 })
  const runs = ["a", "b", "c"].map((runId) => runner.start(asking, { runId }))
  await Promise.all(runs.map((run) => run.whenSettled()))
  for (const run of runs) answer(run, run.runId)
  for (const run of runs) expect((await run.result).status).toBe("completed")
  expect(begun).toBe(3)
})

test("runs are not evicted if the journal loads asynchronously", async () => {
  const kept = memoryJournal()
  let loads = 0
  const journal: Journal = {
    ...kept,
    load: async (runId) => {
      loads++
      return kept.load(runId)
    },
  }
  const runs = await startMany(runnerWithOneIdleRun({ journal }).runner, 4)
  expect(loads).toBe(1)
  for (const run of runs) answer(run, "Yes.")
  for (const run of runs)
    expect(await run.whenSettled()).toMatchObject({
      status: "waiting",
      state: { second_text: "two" },
    })
})

test("runs stay in memory and do not fail if the journal fails to load", async () => {
  const journal: Journal = {
    ...memoryJournal(),
    load: () => {
      throw new Error("the cable is cut")
    },
  }
  const runs = await startMany(runnerWithOneIdleRun({ journal }).runner, 4)
  for (const run of runs) answer(run, "Yes.")
  for (const run of runs)
    expect(await run.whenSettled()).toMatchObject({
      status: "waiting",
      error: null,
      state: { second_text: "two" },
    })
})

test("the result of a later invocation settles after the run was evicted", async () => {
  const conversation = adkChartOf({
    rootAgentId: "boss",
    agents: [{ type: "HumanAgent", id: "boss", prompt: "Go?" }],
  })
  const runner = createRunner({ maxIdleRuns: 1 })
  const run = runner.start(conversation, { prompt: "Hello" })
  answer(run, "first")
  expect((await run.result).status).toBe("completed")
  run.say("Hello again")
  expect((await run.whenSettled()).status).toBe("waiting")
  const { result } = run
  for (let count = 0; count < 2; count++)
    await runner.start(conversation, { prompt: "Hello" }).whenSettled()
  answer(run, "second")
  await run.whenSettled()
  expect(await Promise.race([result, Promise.resolve("not settled")])).toMatchObject({
    status: "completed",
  })
})
