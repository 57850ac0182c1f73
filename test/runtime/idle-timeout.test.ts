import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, test } from "vitest"
import { openAiModel } from "../../src/adapters/model/openai/index.js"
import type { CallOptions, ModelService } from "../../src/machines/contract/services.js"
import { createRunner } from "../../src/runtime/index.js"
import { chunkOf, usageChunk } from "../adapters/model/openai-server.js"
import { chartOf } from "../support/in-both-interpreters.js"
import { simulatedClock } from "../support/simulated-clock.js"

const agent = (fields: object = {}) =>
  chartOf({
    name: "writer",
    agentClass: "LlmAgent",
    model: "first",
    activityConfig: { idleTimeout: "5s", startToCloseTimeout: "60s" },
    ...fields,
  })

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

/** A model that sends one part each `every` milliseconds, and then stalls or responds. */
const slow = (
  clock: ReturnType<typeof simulatedClock>,
  parts: number,
  every: number,
  send: (live: NonNullable<CallOptions["live"]>) => void,
  stalls: boolean,
): ModelService => ({
  call: (_request, { live }) =>
    new Promise((resolve) => {
      if (live === undefined || !live.hasSubscribers()) throw new Error("the model does not stream")
      const next = (left: number): void => {
        if (left === 0) return stalls ? undefined : resolve({ content: "done" })
        send(live)
        clock.wakeAt(clock.now() + every, () => next(left - 1))
      }
      next(parts)
    }),
})

test("a response that stalls fails with service_timeout, and a fallback model is called", async () => {
  const clock = simulatedClock()
  const first = slow(clock, 3, 4_000, (live) => live.write("Once "), true)
  const second: ModelService = { call: async () => ({ content: "second" }) }
  const started = clock.now()
  const run = createRunner({ models: { first, second }, clock }).start(
    agent({ fallback: ["second"] }),
    { prompt: "Go." },
  )
  const failures: unknown[] = []
  run.events$.subscribe((event) => event.type === "model.fallback" && failures.push(event))
  await clock.runUntilIdle()
  expect((await run.whenSettled()).text).toBe("second")
  expect(failures).toMatchObject([
    {
      at: started + 8_000 + 5_000,
      error: {
        code: "service_timeout",
        retryable: true,
        message: expect.stringContaining("idleTimeout expired after 5000 ms") as unknown,
      },
    },
  ])
})

test.each([
  ["text", (live: NonNullable<CallOptions["live"]>) => live.write("word ")],
  ["parts without text", (live: NonNullable<CallOptions["live"]>) => live.keepAlive()],
])("a slow response with %s continues as long as its parts arrive in time", async (_, send) => {
  const clock = simulatedClock()
  const first = slow(clock, 12, 4_000, send, false)
  const run = createRunner({ models: { first }, clock }).start(agent(), { prompt: "Go." })
  await clock.runUntilIdle()
  expect(await run.whenSettled()).toMatchObject({ status: "completed", text: "done" })
})

test("the timeout starts with the first part, and ends with the response", async () => {
  const clock = simulatedClock()
  const first: ModelService = {
    call: () =>
      new Promise((resolve) =>
        clock.wakeAt(clock.now() + 50_000, () => resolve({ content: "late" })),
      ),
  }
  const run = createRunner({ models: { first }, clock }).start(agent(), { prompt: "Go." })
  await clock.runUntilIdle()
  expect((await run.whenSettled()).text).toBe("late")
  expect(clock.waiting).toBe(0)
})

test("a call whose stream stalls is aborted, even if the run has no subscriber", async () => {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(`data: ${JSON.stringify(chunkOf({ content: "Hel" }))}\n\n`)
    if (++requests === 1) return
    for (const chunk of [chunkOf({ content: "lo" }), chunkOf({}, "stop"), usageChunk])
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    response.end("data: [DONE]\n\n")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  opened.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  const first = openAiModel({ baseUrl: `http://127.0.0.1:${port}/v1` })
  opened.unshift(() => first.close())
  const chart = agent({
    activityConfig: {
      idleTimeout: "100ms",
      retryPolicy: { maximumAttempts: 2, initialInterval: "1ms" },
    },
  })
  const run = createRunner({ models: { first } }).start(chart, { prompt: "Go." })
  expect(await run.whenSettled()).toMatchObject({ status: "completed", text: "Hello" })
  expect(requests).toBe(2)
})
