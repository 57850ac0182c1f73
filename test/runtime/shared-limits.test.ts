import { expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { CallUse, SharedLimits } from "../../src/runtime/index.js"
import { createRunner, modelLimits } from "../../src/runtime/index.js"
import { begin, chartOf, interpreters } from "../support/in-both-interpreters.js"
import { simulatedClock } from "../support/simulated-clock.js"

const writer = (name: string): object => ({ name, agentClass: "LlmAgent", model: "first" })

const branches = (...names: readonly string[]): AgentChart =>
  chartOf({ name: "all", agentClass: "ParallelAgent", subAgents: names.map(writer) })

const limit = { maxConcurrent: 5 }
const usage = { inputTokens: 30, outputTokens: 10 }
const first = { call: async () => ({ content: "done", usage }) }

test.each(interpreters)(
  "a call waits until the shared limits admit it, and reports its usage (%s)",
  async (interpreter) => {
    const clock = simulatedClock()
    const begun = clock.now()
    const asked: number[] = []
    const uses: CallUse[] = []
    const shared: SharedLimits = {
      async admit(model, { tokensPerMinute }) {
        expect([model, tokensPerMinute]).toEqual(["first", 1_000])
        asked.push(clock.now() - begun)
        if (asked.length === 2) return { isAdmitted: false, limit: "Retry-After", delayMs: 5_000 }
        if (asked.length === 3) return { isAdmitted: false, limit: "maxConcurrent", delayMs: null }
        return { isAdmitted: true, end: (use) => void uses.push(use) }
      },
    }
    const { controls, events } = begin(interpreter, branches("one", "two", "three"), {
      models: { first },
      modelLimits: modelLimits({ first: { tokensPerMinute: 1_000 } }, { shared }),
      clock,
    })
    await clock.runUntilIdle()
    expect((await controls.whenSettled()).status).toBe("completed")
    expect(asked.slice(0, 4)).toEqual([0, 0, 5_000, 5_250])
    expect(uses).toEqual(Array.from({ length: 3 }, () => ({ tokens: 40, pauseMs: null })))
    expect(events.filter(({ type }) => type === "model.waiting")).toMatchObject(
      ["two", "three"].map((agent) => ({ agent, limit: "Retry-After", until: begun + 5_000 })),
    )
  },
)

test("an admission is returned if its call was cancelled", async () => {
  const clock = simulatedClock()
  let admit = (): void => {}
  const isOver = new Promise<void>((resolve) => (admit = resolve))
  const uses: CallUse[] = []
  const shared: SharedLimits = {
    async admit() {
      await isOver
      return { isAdmitted: true, end: (use) => void uses.push(use) }
    },
  }
  const limits = modelLimits({ first: limit }, { shared })
  const runner = createRunner({ models: { first }, modelLimits: limits, clock })
  const run = runner.start(chartOf(writer("one")))
  await clock.runUntilIdle()
  run.cancel()
  admit()
  await clock.runUntilIdle()
  expect((await run.result).status).toBe("cancelled")
  expect(uses).toEqual([{ tokens: null, pauseMs: null }])
  expect(limits.states()).toEqual({ first: { running: 0, waiting: 0, openUntil: null } })
})

test("waiting calls fail if the shared limits cannot be read", async () => {
  const clock = simulatedClock()
  const shared: SharedLimits = {
    admit: () => Promise.reject(new Error("no connection")),
  }
  const runner = createRunner({
    models: { first, second: { call: async () => ({ content: "second" }) } },
    modelLimits: modelLimits({ first: limit }, { shared }),
    clock,
  })
  const runs = [
    runner.start(chartOf(writer("one"))),
    runner.start(chartOf({ ...writer("two"), fallback: ["second"] })),
  ]
  await clock.runUntilIdle()
  expect(await Promise.all(runs.map((run) => run.whenSettled()))).toMatchObject([
    {
      status: "failed",
      error: {
        code: "service_unreachable",
        message:
          'agent "one": the model "first" was not called, because its shared limits cannot be read: no connection',
      },
    },
    { status: "completed", text: "second" },
  ])
})

test("shared limits that are not an object with the function admit are rejected", () => {
  expect(() =>
    modelLimits({ first: limit }, { shared: "postgresql://localhost" as never }),
  ).toThrow("shared of modelLimits must be an object with the function admit, but is")
})
