import { expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ModelService } from "../../src/machines/contract/services.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { createRunner, modelLimits } from "../../src/runtime/index.js"
import { begin, chartOf, interpreters } from "../support/in-both-interpreters.js"
import { simulatedClock } from "../support/simulated-clock.js"

const agent = (fields: object = {}): AgentChart =>
  chartOf({ name: "writer", agentClass: "LlmAgent", model: "first", ...fields })

const branches = (count: number): AgentChart =>
  chartOf({
    name: "all",
    agentClass: "ParallelAgent",
    subAgents: Array.from({ length: count }, (_, index) => ({
      name: `writer${index}`,
      agentClass: "LlmAgent",
      model: "first",
    })),
  })

/** A model whose calls take one second. It records its calls and how many run at the same time. */
function slowModel(clock: ReturnType<typeof simulatedClock>) {
  const started: string[] = []
  let running = 0
  const seen = { most: 0 }
  const model: ModelService = {
    call: ({ runId }, { signal }) =>
      new Promise((resolve, reject) => {
        started.push(runId)
        seen.most = Math.max(seen.most, ++running)
        const cancel = clock.wakeAt(clock.now() + 1_000, () => {
          running--
          resolve({ content: "done" })
        })
        signal.addEventListener("abort", () => {
          running--
          cancel()
          reject(signal.reason as Error)
        })
      }),
  }
  return { model, started, seen }
}

test.each(interpreters)(
  "at most maxConcurrent calls of a model run at the same time (%s)",
  async (interpreter) => {
    const clock = simulatedClock()
    const { model, seen } = slowModel(clock)
    const limits = modelLimits({ first: { maxConcurrent: 2 } })
    const { controls } = begin(interpreter, branches(5), {
      models: { first: model },
      modelLimits: limits,
      clock,
    })
    await clock.runUntilIdle()
    expect((await controls.whenSettled()).status).toBe("completed")
    expect(seen.most).toBe(2)
    expect(limits.states()).toEqual({ first: { running: 0, waiting: 0, openUntil: null } })
  },
)

test("the runs take turns, and runners with the same limits share them", async () => {
  const clock = simulatedClock()
  const { model, started, seen } = slowModel(clock)
  const options = {
    models: { first: model },
    modelLimits: modelLimits({ "*": { maxConcurrent: 1 } }),
    clock,
  }
  const many = createRunner(options).start(branches(4), { runId: "many" })
  const other = createRunner(options).start(agent(), { runId: "other" })
  await new Promise((resolve) => setImmediate(resolve))
  expect(options.modelLimits.states()).toEqual({
    first: { running: 1, waiting: 4, openUntil: null },
  })
  await clock.runUntilIdle()
  await Promise.all([many.whenSettled(), other.whenSettled()])
  expect(started).toEqual(["many", "many", "other", "many", "many"])
  expect(seen.most).toBe(1)
})

test("a stopped call frees its slot, and a waiting call that is stopped is never made", async () => {
  const clock = simulatedClock()
  const { model, started } = slowModel(clock)
  const limits = modelLimits({ first: { maxConcurrent: 1 } })
  const runner = createRunner({ models: { first: model }, modelLimits: limits, clock })
  const [one, two, three] = ["one", "two", "three"].map((runId) => runner.start(agent(), { runId }))
  await new Promise((resolve) => setImmediate(resolve))
  two?.cancel()
  one?.cancel()
  await clock.runUntilIdle()
  expect((await three?.whenSettled())?.status).toBe("completed")
  expect(started).toEqual(["one", "three"])
  expect(limits.states()).toEqual({ first: { running: 0, waiting: 0, openUntil: null } })
})

test("startToCloseTimeout starts with the call, and scheduleToCloseTimeout includes the wait", async () => {
  const clock = simulatedClock()
  const { model } = slowModel(clock)
  const runner = createRunner({
    models: { first: model },
    modelLimits: modelLimits({ first: { maxConcurrent: 1 } }),
    clock,
  })
  const start = (activityConfig: object) => runner.start(agent({ activityConfig }))
  const runs = [
    start({}),
    start({ startToCloseTimeout: "1500ms" }),
    start({ scheduleToCloseTimeout: "1500ms" }),
  ]
  await clock.runUntilIdle()
  const results = await Promise.all(runs.map((run) => run.whenSettled()))
  expect(results).toMatchObject([
    { status: "completed" },
    { status: "completed" },
    { status: "failed", error: { code: "service_timeout" } },
  ])
})

test("after several failures in a row, a model is not called until a probe succeeds", async () => {
  const clock = simulatedClock()
  let calls = 0
  let isDown = true
  const first: ModelService = {
    async call() {
      calls++
      if (!isDown) return { content: "first" }
      throw new CallFailedError({
        code: "model_call_failed",
        message: "answered 503",
        status: 503,
        retryable: true,
      })
    },
  }
  const limits = modelLimits({ first: { circuitBreaker: { failures: 3, resetMs: 60_000 } } })
  const runner = createRunner({
    models: { first, second: { call: async () => ({ content: "second" }) } },
    modelLimits: limits,
    clock,
  })
  const textOf = async (fields: object = { fallback: ["second"] }): Promise<unknown> => {
    const { text, error } = await runner.start(agent(fields), { prompt: "Go." }).whenSettled()
    return text ?? error
  }
  for (let run = 0; run < 10; run++) expect(await textOf()).toBe("second")
  expect(calls).toBe(3)
  expect(limits.states()["first"]?.openUntil).toBe(clock.now() + 60_000)
  expect(await textOf({})).toMatchObject({
    code: "service_unreachable",
    message: expect.stringContaining("(circuit breaker)") as unknown,
  })
  clock.jump(60_000)
  expect(await textOf()).toBe("second")
  expect(await textOf()).toBe("second")
  expect(calls).toBe(4)
  isDown = false
  clock.jump(60_000)
  expect(await textOf()).toBe("first")
  expect(limits.states()["first"]?.openUntil).toBeNull()
})

/** A model that answers at once and records the time of each call since the start of the test. */
function timedModel(clock: ReturnType<typeof simulatedClock>, fields: object = {}) {
  const start = clock.now()
  const times: number[] = []
  const model: ModelService = {
    call: async () => {
      times.push(clock.now() - start)
      return { content: "done", ...fields }
    },
  }
  return { model, times }
}

test.each(interpreters)(
  "at most requestsPerMinute calls start within a minute, and the others report their wait (%s)",
  async (interpreter) => {
    const clock = simulatedClock()
    const { model, times } = timedModel(clock)
    const { controls, events } = begin(interpreter, branches(5), {
      models: { first: model },
      modelLimits: modelLimits({ first: { requestsPerMinute: 2 } }),
      clock,
    })
    const start = clock.now()
    await clock.runUntilIdle()
    expect((await controls.whenSettled()).status).toBe("completed")
    expect(times).toEqual([0, 0, 60_000, 60_000, 120_000])
    const waits = events.filter(({ type }) => type === "model.waiting")
    expect(waits).toMatchObject(
      ["writer2", "writer3", "writer4"].map((name) => ({
        agent: name,
        attempt: 1,
        limit: "requestsPerMinute",
        until: start + 60_000,
      })),
    )
    const types = events.flatMap(({ type, agent: name }) => (name === "writer4" ? [type] : []))
    expect(types).toEqual([
      "agent.started",
      "model.called",
      "model.waiting",
      "model.responded",
      "agent.finished",
    ])
  },
)

test("calls wait while the tokens of the last minute exceed tokensPerMinute", async () => {
  const clock = simulatedClock()
  const { model, times } = timedModel(clock, { usage: { inputTokens: 30, outputTokens: 10 } })
  const runner = createRunner({
    models: { first: model },
    modelLimits: modelLimits({ first: { tokensPerMinute: 100 } }),
    clock,
  })
  const one = async (): Promise<void> => {
    const run = runner.start(agent(), { prompt: "Go." })
    await clock.runUntilIdle()
    expect((await run.whenSettled()).status).toBe("completed")
  }
  for (let run = 0; run < 4; run++) await one()
  expect(times).toEqual([0, 0, 0, 60_000])
  // 40 tokens were used, and two running calls are expected to use 80, so the third call waits.
  const runs = [1, 2, 3].map(() => runner.start(agent(), { prompt: "Go." }))
  await clock.runUntilIdle()
  await Promise.all(runs.map((run) => run.whenSettled()))
  expect(times.slice(4)).toEqual([60_000, 60_000, 120_000])
})

test("no call of a model starts while it requests a delay with Retry-After", async () => {
  const clock = simulatedClock()
  const start = clock.now()
  const times: number[] = []
  const first: ModelService = {
    async call() {
      times.push(clock.now() - start)
      if (times.length > 1) return { content: "done" }
      throw new CallFailedError({
        code: "model_call_failed",
        message: "answered 429",
        status: 429,
        retryable: true,
        retryAfterMs: 90_000,
      })
    },
  }
  const limits = modelLimits({ first: { maxConcurrent: 1, maxRetryAfterMs: 30_000 } })
  const runner = createRunner({ models: { first }, modelLimits: limits, clock })
  const retryPolicy = { maximumAttempts: 2, initialInterval: "1s", maximumInterval: "1s" }
  const chart = agent({ activityConfig: { retryPolicy } })
  const runs = [1, 2, 3].map(() => runner.start(chart, { prompt: "Go." }))
  const waits: unknown[] = []
  for (const run of runs)
    run.events$.subscribe((event) => {
      if (event.type === "model.waiting") waits.push([event.attempt, event.limit])
    })
  await clock.runUntilIdle()
  for (const run of runs) expect((await run.whenSettled()).status).toBe("completed")
  expect(times).toEqual([0, 30_000, 30_000, 30_000])
  expect(waits).toEqual([
    [1, "maxConcurrent"],
    [1, "maxConcurrent"],
    [2, "Retry-After"],
  ])
})

test("a waiting call that is stopped leaves no timer, and its slot stays free", async () => {
  const clock = simulatedClock()
  const { model, times } = timedModel(clock)
  const limits = modelLimits({ first: { requestsPerMinute: 1 } })
  const runner = createRunner({ models: { first: model }, modelLimits: limits, clock })
  const runs = [1, 2, 3].map(() => runner.start(agent(), { prompt: "Go." }))
  await new Promise((resolve) => setImmediate(resolve))
  runs[1]?.cancel()
  runs[2]?.cancel()
  await Promise.all(runs.map((run) => run.whenSettled()))
  expect(clock.waiting).toBe(0)
  expect(limits.states()).toMatchObject({ first: { running: 0, waiting: 0 } })
  const last = runner.start(agent(), { prompt: "Go." })
  await clock.runUntilIdle()
  expect((await last.whenSettled()).status).toBe("completed")
  expect(times).toEqual([0, 60_000])
})

test("20,000 waiting calls of 100 runs are made one after another, and the runs take turns", async () => {
  const limits = modelLimits({ first: { maxConcurrent: 1 } })
  const clock = simulatedClock()
  const order: number[] = []
  let inFlight = 0
  await new Promise<void>((resolve) => {
    for (let index = 0; index < 20_000; index++)
      limits.start("first", {
        runId: `run${index % 100}`,
        agent: "writer",
        deadline: null,
        clock,
        start: (complete) => {
          inFlight++
          expect(inFlight).toBe(1)
          order.push(index % 100)
          queueMicrotask(() => {
            inFlight--
            complete({ ok: true, value: null, at: 0 })
          })
          return () => {}
        },
        complete: () => order.length === 20_000 && inFlight === 0 && resolve(),
      })
  })
  expect(order.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, index) => index % 100))
})

test.each([
  [{ first: {} }, 'the limits of the model "first" are empty'],
  [{ first: { requestsPerMinute: 0.5 } }, "requestsPerMinute in the limits of the model"],
  [{ first: { maxConcurrent: 0 } }, "must be a whole number, 1 or greater"],
  [{ first: { maxConcurent: 1 } }, 'must not contain "maxConcurent"'],
  [{ first: { circuitBreaker: { failures: 3 } } }, "resetMs of circuitBreaker"],
  [{ first: 3 }, "must be an object, but is the number 3"],
])("modelLimits rejects the invalid limits %j", (limits, message) => {
  expect(() => modelLimits(limits as Parameters<typeof modelLimits>[0])).toThrow(message)
})

test("a runner rejects limits that modelLimits did not create", () => {
  expect(() => createRunner({ modelLimits: { first: { maxConcurrent: 1 } } as never })).toThrow(
    "modelLimits must be the result of modelLimits()",
  )
})
