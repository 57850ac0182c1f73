import { describe, expect, test } from "vitest"
import { BaseLlm, LlmAgent, programOf } from "../../src/adk/index.js"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type {
  CallFailure,
  ModelRequest,
  ModelService,
} from "../../src/machines/contract/services.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { memoryJournal, usageByModel } from "../../src/runtime/index.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin, calls, interpreters } from "../support/in-both-interpreters.js"
import { playBoth, resumeEverywhere } from "../support/play-both.js"
import { seed } from "../support/random-cases.js"

const agent = (fields: object = {}): AgentChart => {
  const config = {
    name: "writer",
    agentClass: "LlmAgent",
    model: "first",
    fallback: ["second", "third"],
    ...fields,
  }
  const { chart, diagnostics } = compile(config, { dialect: "adk" })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const failure = (fields: Partial<CallFailure> = {}): CallFailure => ({
  code: "model_call_failed",
  message: "the server answered 503",
  retryable: false,
  status: 503,
  ...fields,
})

const failing = (fields?: Partial<CallFailure>): ModelService => ({
  call: () => Promise.reject(new CallFailedError(failure(fields))),
})

const saying = (content: string, asked: ModelRequest[] = []): ModelService => ({
  call(request) {
    asked.push(request)
    return Promise.resolve({ content, usage: { inputTokens: 1, outputTokens: 1 } })
  },
})

const models = (first: ModelService, second: ModelService, third = saying("third")) => ({
  models: { first, second, third },
})

const calledModels = (events: readonly { readonly type: string }[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === "model.called" ? ["model" in event ? event.model : "own"] : [],
  )

describe("the fallback models of an agent", () => {
  test("are called with the same messages after all attempts of its own model have failed", async () => {
    const asked: ModelRequest[] = []
    let attempts = 0
    const first: ModelService = {
      call(request) {
        attempts++
        asked.push(request)
        return Promise.reject(new CallFailedError(failure({ retryable: true })))
      },
    }
    const chart = agent({
      instruction: "Write.",
      activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "1ms" } },
    })
    const journal = memoryJournal()
    const run = createRunner({ ...models(first, saying("second", asked)), journal }).start(chart, {
      runId: "r",
      prompt: "A poem.",
    })
    const events: { readonly type: string }[] = []
    run.events$.subscribe((event) => events.push(event))
    expect(await run.whenSettled()).toMatchObject({
      text: "second",
      usage: { modelCalls: 2, inputTokens: 1 },
    })
    expect(attempts).toBe(2)
    expect(
      asked.map(({ model, attempt, idempotencyKey }) => [model, attempt, idempotencyKey]),
    ).toEqual([
      ["first", 1, "r/writer#0"],
      ["first", 2, "r/writer#0"],
      ["second", 1, "r/writer#1"],
    ])
    expect(asked[2]?.messages).toEqual(asked[0]?.messages)
    expect(events.filter(({ type }) => /^(?:model|retry)/.test(type))).toMatchObject([
      { type: "model.called", call: "r/writer#0", attempt: 1 },
      { type: "retry.scheduled" },
      { type: "model.called", call: "r/writer#0", attempt: 2 },
      {
        type: "model.fallback",
        of: "r/writer#0",
        from: "first",
        to: "second",
        error: { status: 503 },
      },
      { type: "model.called", call: "r/writer#1", attempt: 1, model: "second" },
      { type: "model.responded", call: "r/writer#1", model: "second" },
    ])
  })

  test("are used after a restart at every record, and models that have failed are not called again", async () => {
    const services = () => models(failing(), failing(), saying("third"))
    const played = await playBoth(agent(), services)
    expect(played.result).toMatchObject({ status: "completed", text: "third" })
    await resumeEverywhere(played, services)
    // The journal contains both failures, so only the last model can still be called.
    const records = played.journal.records.slice(0, -1)
    const stored = { r: { ...played.journal, records } }
    const journal = memoryJournal(stored)
    const never: ModelService = { call: () => Promise.reject(new Error("called again")) }
    const run = await createRunner({ ...models(never, never), journal }).resume("r")
    expect((await run.whenSettled()).text).toBe("third")
  })

  test.each([
    ["timeout", { code: "service_timeout", status: 408 }],
    ["timeout", { status: 408 }],
    ["rate_limited", { status: 429 }],
    ["unavailable", { code: "service_unreachable" }],
    ["unavailable", { status: 500 }],
    ["malformed", { code: "service_answer_malformed" }],
    ["context_too_long", { status: 400, reason: "context_too_long" }],
    ["refused", { status: 401 }],
  ] as const)("whose `on` contains %s are called after the failure %j", async (name, fields) => {
    const all = [
      "timeout",
      "rate_limited",
      "unavailable",
      "malformed",
      "context_too_long",
      "refused",
    ]
    const others = all.filter((one) => one !== name)
    const chart = agent({
      fallback: [
        { model: "second", on: others },
        { model: "third", on: name },
      ],
    })
    const { result, events } = await playBoth(chart, () =>
      models(failing(fields), saying("second")),
    )
    expect(result.text).toBe("third")
    expect(calledModels(events)).toEqual(["own", "third"])
  })

  test("are not called by default if the model refuses the request", async () => {
    const services = () => models(failing({ status: 400 }), saying("second"))
    const { result, events } = await playBoth(agent(), services)
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "model_call_failed", status: 400 },
    })
    expect(calledModels(events)).toEqual(["own"])
  })

  test("are not called after an error that is not about the model", async () => {
    const services = () => models(saying("first"), saying("second"))
    const { result, events } = await playBoth(agent({ instruction: "{missing}" }), services)
    expect(result).toMatchObject({ status: "failed", error: { code: "instruction_failed" } })
    expect(calledModels(events)).toEqual([])
  })

  test("fail the run with the error of the last model if all of them fail", async () => {
    const services = () =>
      models(
        failing(),
        failing({ message: "second is down" }),
        failing({ message: "third is down" }),
      )
    const { result } = await playBoth(agent(), services)
    expect(result).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("third is down") as unknown },
      usage: { modelCalls: 3 },
    })
  })

  test("the next call of a turn starts with the agent's own model again", async () => {
    let fails = true
    const first: ModelService = {
      async call() {
        if (fails) {
          fails = false
          throw new CallFailedError(failure())
        }
        return { content: "first" }
      },
    }
    const second: ModelService = { call: async () => calls("look") }
    const chart = agent({ tools: [{ name: "look", service: "look" }] })
    const { controls, events } = begin("run", chart, {
      ...models(first, second),
      services: { look: () => "seen" },
    })
    expect((await controls.whenSettled()).text).toBe("first")
    expect(calledModels(events)).toEqual(["own", "second", "own"])
  })

  test("count as model calls for maxModelCalls and budgets", async () => {
    const services = () => models(failing(), failing())
    const limited = await playBoth(agent({ maxModelCalls: 2 }), services)
    expect(limited.result).toMatchObject({ status: "limit", error: { code: "limit_reached" } })
    expect(calledModels(limited.events)).toEqual(["own", "second"])
    await resumeEverywhere(limited, services)
    const { chart } = compile(
      {
        agents: [
          {
            type: "LlmAgent",
            id: "writer",
            model: "first",
            fallback: ["second"],
            budget: { maxModelCalls: 1, onExceeded: "ask" },
          },
        ],
        rootAgentId: "writer",
      },
      { dialect: "graph-compose" },
    )
    if (chart === null) throw new Error("the config is invalid")
    for (const interpreter of interpreters) {
      const { controls, events } = begin(interpreter, chart, models(failing(), saying("second")))
      expect((await controls.whenSettled()).status).toBe("waiting")
      const [request] = controls.pending()
      controls.approve(request?.id ?? "")
      // The approved call is the fallback, and not the failed model.
      expect(await controls.whenSettled()).toMatchObject({ status: "completed", text: "second" })
      expect(calledModels(events)).toEqual(["own", "second"])
    }
  })

  test("do not count towards maxModelCallsPerTurn", async () => {
    const chart = agent({ maxModelCallsPerTurn: 1 })
    const { result } = await playBoth(chart, () => models(failing(), failing()))
    expect(result).toMatchObject({ status: "completed", text: "third" })
  })

  test("have their own price, and usageByModel reports the usage of each model", async () => {
    const chart = agent()
    const { controls, events } = begin("run", chart, {
      ...models(failing(), saying("second")),
      priceOf: ({ model }) => (model === "second" ? 7 : 1),
    })
    expect((await controls.whenSettled()).usage).toMatchObject({ modelCalls: 2, cost: 7 })
    expect(usageByModel(events, chart)).toEqual({
      first: { modelCalls: 1, toolCalls: 0, inputTokens: 0, outputTokens: 0 },
      second: { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, cost: 7 },
    })
  })

  test("must be registered before the run starts", async () => {
    const { result } = await playBoth(agent(), () => ({ models: { first: saying("first") } }))
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "service_missing",
        message: expect.stringContaining(
          'agent "writer" needs the fallback model "second"',
        ) as unknown,
      },
      usage: { modelCalls: 0 },
    })
  })

  test("each cause a beforeModel callback, and onModelError callbacks receive only the last failure", async () => {
    const seen: unknown[] = []
    const chart = agent({ before_model_callback: "before", on_model_error_callback: "onError" })
    const services = () => ({
      ...models(failing(), failing(), failing({ message: "third is down" })),
      services: {
        before: (_: unknown, input: unknown) => {
          seen.push((input as { request: { model: string } }).request.model)
        },
        onError: (_: unknown, input: unknown) => {
          seen.push((input as { error: { message: string } }).error.message)
          return { content: "Sorry." }
        },
      },
    })
    const { result } = await playBoth(chart, services)
    expect(result).toMatchObject({ status: "completed", text: "Sorry." })
    const ofRun = ["first", "second", "third", "third is down"]
    expect(seen).toEqual(ofRun.concat(ofRun))
  })
})

test("1,000 runs complete although the first provider fails in 30 % of its calls", async () => {
  let state = seed
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  let failed = 0
  const first: ModelService = {
    async call() {
      if (random() >= 0.3) return { content: "done", usage: { inputTokens: 10, outputTokens: 5 } }
      failed++
      throw new CallFailedError(failure({ status: failed % 2 === 0 ? 503 : 429 }))
    },
  }
  const second = saying("done")
  const chart = agent()
  const runner = createRunner({ ...models(first, second), journal: memoryJournal() })
  const events: Parameters<typeof usageByModel>[0][] = []
  const results = await Promise.all(
    Array.from({ length: 1_000 }, () => {
      const run = runner.start(chart, { prompt: "Go." })
      const ofRun: (typeof events)[number] & unknown[] = []
      events.push(ofRun)
      run.events$.subscribe((event) => ofRun.push(event))
      return run.whenSettled()
    }),
  )
  expect(results.every(({ status }) => status === "completed")).toBe(true)
  expect(failed).toBeGreaterThan(250)
  expect(failed).toBeLessThan(350)
  const usage = usageByModel(
    events.flatMap((one) => [...one]),
    chart,
  )
  expect(usage).toMatchObject({
    first: { modelCalls: 1_000, inputTokens: 10 * (1_000 - failed) },
    second: { modelCalls: failed, inputTokens: failed },
  })
  expect(usage["third"]).toBeUndefined()
})

test("the bounds of a chart include the calls of fallback models", () => {
  const bounds = analyzeChart(agent()).bounds
  expect(bounds.modelCalls.most).toBe(3)
})

test("the class LlmAgent accepts names, services and instances of BaseLlm as fallbacks", async () => {
  class Backup extends BaseLlm {
    constructor() {
      super({ model: "backup" })
    }
    async *generateContentAsync() {
      yield { content: { role: "model", parts: [{ text: "from BaseLlm" }] } }
    }
    connect() {
      throw new Error("live connections are not used")
    }
  }
  const root = new LlmAgent({
    name: "writer",
    model: failing(),
    fallback: [
      { model: failing(), on: "unavailable" },
      { model: new Backup(), on: ["timeout", "refused"] },
    ],
  })
  const { config, models: own } = programOf(root)
  const { chart } = compile(config, { dialect: "adk" })
  if (chart === null) throw new Error("the program is invalid")
  expect(chart.agents["writer"]).toMatchObject({
    fallback: [
      { model: "writer.fallback.0", on: ["unavailable"] },
      { model: "writer.fallback.1", on: ["timeout", "refused"] },
    ],
  })
  const refusing = { "writer.fallback.0": failing({ status: 403 }) }
  const { result } = createRunner({ models: { ...own, ...refusing } }).start(chart, {
    prompt: "Go.",
  })
  expect((await result).text).toBe("from BaseLlm")
})

describe("the fallbacks of an agent with its own endpoint", () => {
  const endpoint = (host: string) => ({ url: `https://${host}.test/write`, method: "POST" })
  const chart = agent({
    model: undefined,
    httpConfig: endpoint("first"),
    fallback: [
      { httpConfig: endpoint("second"), on: "timeout" },
      { httpConfig: endpoint("third") },
    ],
  })
  const service = (asked: ModelRequest[]): ModelService => ({
    call(request, options) {
      asked.push(request)
      return request.endpoint?.url === endpoint("first").url
        ? failing().call(request, options)
        : saying("third").call(request, options)
    },
  })
  const http = (asked: ModelRequest[] = []) => ({
    model: service(asked),
    tool: { call: async () => null },
  })

  test.each(interpreters)("receive the same messages and the state (%s)", async (interpreter) => {
    const asked: ModelRequest[] = []
    const state = { tone: "kind" }
    const { controls, events } = begin(
      interpreter,
      chart,
      { http: http(asked) },
      { prompt: "A poem.", state },
    )
    expect(await controls.whenSettled()).toMatchObject({ status: "completed", text: "third" })
    expect(asked.map((request) => [request.endpoint?.url, request.model])).toEqual([
      ["https://first.test/write", null],
      ["https://third.test/write", null],
    ])
    expect(asked[1]?.messages).toEqual(asked[0]?.messages)
    expect(asked[1]?.state).toMatchObject(state)
    expect(events.find(({ type }) => type === "model.fallback")).toMatchObject({
      from: "https://first.test/write",
      to: "https://third.test/write",
    })
    expect(calledModels(events)).toEqual(["own", "https://third.test/write"])
    expect(usageByModel(events, chart)).toMatchObject({
      "https://first.test/write": { modelCalls: 1, outputTokens: 0 },
      "https://third.test/write": { modelCalls: 1, outputTokens: 1 },
    })
  })

  test("are used after a restart at every record", async () => {
    const services = () => ({ http: http() })
    await resumeEverywhere(await playBoth(chart, services), services)
  })

  test("need an HTTP service but no registered models", () => {
    const run = createRunner({}).start(chart, { prompt: "A poem." })
    return expect(run.result).resolves.toMatchObject({
      status: "failed",
      error: { code: "service_missing", message: expect.not.stringContaining("third") as unknown },
    })
  })
})
