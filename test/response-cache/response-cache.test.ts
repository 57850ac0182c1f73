import { describe, expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ModelRequest, ModelService } from "../../src/machines/contract/services.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import type { ResponseCache } from "../../src/runtime/index.js"
import {
  createRunner,
  deleteUser,
  memoryJournal,
  memoryResponseCache,
  memorySessionStore,
  modelLimits,
  replay,
  usageByModel,
} from "../../src/runtime/index.js"
import { begin, chartOf, interpreters, play } from "../support/in-both-interpreters.js"
import { playBoth } from "../support/play-both.js"
import { simulatedClock } from "../support/simulated-clock.js"

const agent = (fields: object = {}): AgentChart =>
  chartOf({ name: "writer", agentClass: "LlmAgent", model: "first", cache: "1h", ...fields })

/** A model that numbers its responses and records its requests. */
function counted(): ModelService & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    requests,
    call: async (request) => {
      requests.push(request)
      return {
        content: `text ${requests.length}`,
        usage: { inputTokens: 10, outputTokens: 5 },
      }
    },
  }
}

const text = async (chart: AgentChart, services: object, prompt = "Hi."): Promise<string | null> =>
  (await createRunner(services).start(chart, { prompt }).result).text

const priceOf = () => 0.25

test.each(interpreters)(
  "an equal request receives the cached response without usage (%s)",
  async (interpreter) => {
    const first = counted()
    const services = { models: { first }, priceOf, responseCache: memoryResponseCache() }
    const one = await play(interpreter, agent(), services)
    const two = await play(interpreter, agent(), services)
    expect(first.requests).toHaveLength(1)
    expect(two.rested.text).toBe(one.rested.text)
    expect(one.rested.usage).toEqual({
      modelCalls: 1,
      toolCalls: 0,
      inputTokens: 10,
      outputTokens: 5,
      cost: 0.25,
    })
    expect(two.rested.usage).toEqual({
      modelCalls: 1,
      toolCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cached: { modelCalls: 1, inputTokens: 10, outputTokens: 5, cost: 0.25 },
    })
    const responded = two.events.find(({ type }) => type === "model.responded")
    expect(responded).toMatchObject({
      answer: { usage: null, cached: { usage: { inputTokens: 10, outputTokens: 5, cost: 0.25 } } },
    })
    expect(usageByModel(two.events, agent())["first"]).toMatchObject({
      cached: { modelCalls: 1 },
    })
  },
)

describe("a cached response", () => {
  test("expires after the duration of the agent", async () => {
    const clock = simulatedClock()
    const first = counted()
    const services = { models: { first }, responseCache: memoryResponseCache(), clock }
    expect(await text(agent({ cache: "10s" }), services)).toBe("text 1")
    clock.jump(9_999)
    expect(await text(agent({ cache: "10s" }), services)).toBe("text 1")
    // The duration of the agent is the maximum age, so an agent with a shorter duration calls the model.
    expect(await text(agent({ cache: "5s" }), services)).toBe("text 2")
    clock.jump(10_000)
    expect(await text(agent({ cache: "10s" }), services)).toBe("text 3")
  })

  test.each([
    ["the prompt", {}, "Bye."],
    ["the instruction", { instruction: "Write." }, "Hi."],
    ["the model", { model: "second" }, "Hi."],
    ["the parameters", { generateContentConfig: { temperature: 0 } }, "Hi."],
    ["the output schema", { outputSchema: { type: "string" } }, "Hi."],
    ["the tools", { tools: ["exit_loop"] }, "Hi."],
    ["the agent", { name: "editor" }, "Hi."],
  ])("is not used for a request that differs in %s", async (_, fields, prompt) => {
    const first = counted()
    const services = { models: { first, second: first }, responseCache: memoryResponseCache() }
    await text(agent(), services)
    await text(agent(fields), services, prompt)
    expect(first.requests).toHaveLength(2)
    await text(agent(fields), services, prompt)
    expect(first.requests).toHaveLength(2)
  })

  test("depends on the state if the agent has its own endpoint", async () => {
    const model = counted()
    const http = { model, tool: { call: async () => null } }
    const endpoint = { url: "https://model.example/", method: "POST" }
    const chart = agent({ model: undefined, httpConfig: endpoint })
    const runner = createRunner({ http })
    for (const tone of ["kind", "kind", "cold"])
      await runner.start(chart, { prompt: "Hi.", state: { tone } }).result
    expect(model.requests).toHaveLength(2)
  })

  test("is not used by agents without cache, or if responseCache is null", async () => {
    const first = counted()
    const responseCache = memoryResponseCache()
    await text(agent(), { models: { first }, responseCache })
    await text(agent({ cache: undefined }), { models: { first }, responseCache })
    await text(agent(), { models: { first }, responseCache: null })
    expect(first.requests).toHaveLength(3)
  })

  test("belongs to the runner by default", async () => {
    const first = counted()
    const runner = createRunner({ models: { first } })
    await runner.start(agent(), { prompt: "Hi." }).result
    await runner.start(agent(), { prompt: "Hi." }).result
    expect(first.requests).toHaveLength(1)
    await text(agent(), { models: { first } })
    expect(first.requests).toHaveLength(2)
  })

  test("receives new ids for its tool calls", async () => {
    let calls = 0
    const first: ModelService = {
      call: async ({ messages }) => {
        calls++
        return messages.at(-1)?.role === "tool"
          ? { content: "done" }
          : { toolCalls: [{ id: "a", function_name: "look", function_args: {} }] }
      },
    }
    const chart = agent({ tools: [{ name: "look", service: "look" }] })
    const services = {
      models: { first },
      services: { look: async () => "seen" },
      responseCache: memoryResponseCache(),
    }
    const ids: string[] = []
    for (let run = 0; run < 2; run++) {
      const { events, controls } = begin("run", chart, services, { prompt: "Hi." })
      expect((await controls.whenSettled()).text).toBe("done")
      ids.push(...events.flatMap((event) => (event.type === "tool.called" ? [event.callId] : [])))
    }
    expect(ids).toEqual(["a", "call_0_0"])
    // The second call contains the id, so it is not equal to the second call of the first run.
    expect(calls).toBe(3)
  })

  test("does not wait for the limits of the model", async () => {
    const first = counted()
    const limits = modelLimits({ first: { circuitBreaker: { failures: 1, resetMs: 60_000 } } })
    const responseCache = memoryResponseCache()
    await text(agent(), { models: { first }, responseCache })
    const down: ModelService = {
      call: () =>
        Promise.reject(
          new CallFailedError({
            code: "service_unreachable",
            message: "down",
            retryable: false,
          }),
        ),
    }
    const services = { models: { first: down }, responseCache, modelLimits: limits }
    await text(agent(), services, "Other.")
    expect(limits.states()["first"]?.openUntil).not.toBeNull()
    expect(await text(agent(), services)).toBe("text 1")
  })
})

test("a failure is never cached, and a fallback has its own responses", async () => {
  let isDown = true
  const first: ModelService = {
    call: async () => {
      if (isDown)
        throw new CallFailedError({ code: "service_unreachable", message: "", retryable: false })
      return { content: "first" }
    },
  }
  const second = counted()
  const services = { models: { first, second }, responseCache: memoryResponseCache() }
  const chart = agent({ fallback: ["second"] })
  expect(await text(chart, services)).toBe("text 1")
  expect(await text(chart, services)).toBe("text 1")
  expect(second.requests).toHaveLength(1)
  isDown = false
  expect(await text(chart, services)).toBe("first")
})

test("a recorded hit does not read the cache again", async () => {
  const responseCache = memoryResponseCache()
  await text(agent(), { models: { first: counted() }, responseCache })
  const services = { models: { first: counted() }, responseCache }
  const played = await playBoth(agent(), () => services, { prompt: "Hi." })
  expect(played.result.usage.cached?.modelCalls).toBe(1)
  await responseCache.clear()
  const again = replay(played.journal, agent())
  expect(again).toMatchObject({ isSame: true, after: played.result })
})

test("deleteUser deletes the cached responses, except in a dry run", async () => {
  const [responseCache, journal, sessions] = [
    memoryResponseCache(),
    memoryJournal(),
    memorySessionStore(),
  ]
  const first = counted()
  const services = { models: { first }, responseCache }
  await text(agent(), services)
  await deleteUser({ journal, sessions, responseCache, userId: "ann", dryRun: true })
  expect(await text(agent(), services)).toBe("text 1")
  await deleteUser({ journal, sessions, responseCache, userId: "ann" })
  expect(await text(agent(), services)).toBe("text 2")
})

test("the model is called if the cache fails, and the response contains the error", async () => {
  const broken = (parts: Partial<ResponseCache>): ResponseCache => ({
    ...memoryResponseCache(),
    ...parts,
  })
  const failure = () => Promise.reject(new Error("the disk is full"))
  for (const responseCache of [broken({ read: failure }), broken({ write: failure })]) {
    const { events, controls } = begin("run", agent(), {
      models: { first: counted() },
      responseCache,
    })
    const { status, text } = await controls.whenSettled()
    expect({ status, text }).toEqual({ status: "completed", text: "text 1" })
    expect(events.find(({ type }) => type === "model.responded")).toMatchObject({
      answer: { cacheError: "the disk is full" },
    })
  }
})

test("a call that is cancelled while the cache is read or written does not complete", async () => {
  for (const part of ["read", "write"] as const) {
    let entered = (): void => {}
    const isEntered = new Promise<void>((resolve) => (entered = resolve))
    let release = (): void => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    const responseCache: ResponseCache = {
      ...memoryResponseCache(),
      [part]: async () => {
        entered()
        await isReleased
        return null
      },
    }
    const first = counted()
    const run = createRunner({ models: { first }, responseCache }).start(agent(), { prompt: "Hi." })
    await isEntered
    run.cancel()
    release()
    expect((await run.result).status).toBe("cancelled")
    expect(first.requests).toHaveLength(part === "read" ? 0 : 1)
  }
})
