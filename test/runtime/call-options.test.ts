import { expect, test } from "vitest"
import type { CallOptions, ModelRequest } from "../../src/machines/contract/services.js"
import { createRunner } from "../../src/runtime/index.js"
import { chartOf } from "../support/in-both-interpreters.js"
import { simulatedClock } from "../support/simulated-clock.js"

const chart = chartOf({
  rootAgentId: "guide",
  agents: [{ type: "LlmAgent", name: "guide", model: "m" }],
})

/** A model that records the options of its calls and never responds. */
function silent() {
  const asked: CallOptions[] = []
  const call = (_request: ModelRequest, options: CallOptions): Promise<never> => {
    asked.push(options)
    return new Promise(() => {})
  }
  return { asked, models: { m: { call } } }
}

const called = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test("a signal that is first read after its call was stopped is already aborted", async () => {
  const { asked, models } = silent()
  const run = createRunner({ models }).start(chart, { prompt: "Hello!" })
  await called()
  run.cancel()
  await run.result
  expect(asked[0]?.signal.aborted).toBe(true)
  expect(asked[0]?.signal.reason).toMatchObject({ name: "AbortError" })
  expect(asked[0]?.signal).toBe(asked[0]?.signal)
})

test("the signal of a call that times out is aborted with the reason service_timeout", async () => {
  const clock = simulatedClock()
  const { asked, models } = silent()
  const run = createRunner({ models, clock, defaultTimeoutMs: 1_000 }).start(chart, {
    prompt: "Hello!",
  })
  await called()
  const signal = asked[0]?.signal
  expect(signal?.aborted).toBe(false)
  await clock.runUntilIdle()
  await run.result
  expect(signal?.reason).toMatchObject({ code: "service_timeout" })
})

test("a copy of the call options still has a working signal and live output", async () => {
  const { asked, models } = silent()
  const told: string[] = []
  const wrapped = {
    call: (request: ModelRequest, options: CallOptions) =>
      models.m.call(request, {
        ...options,
        signal: AbortSignal.any([options.signal, AbortSignal.timeout(60_000)]),
      }),
  }
  const run = createRunner({ models: { m: wrapped } }).start(chart, { prompt: "Hello!" })
  run.events$.subscribe((event) => event.type === "model.delta" && told.push(event.text))
  await called()
  expect(asked[0]?.live?.hasSubscribers()).toBe(true)
  asked[0]?.live?.write("One ")
  expect(told).toEqual(["One "])
  run.cancel()
  await run.result
  expect(asked[0]?.signal.aborted).toBe(true)
  asked[0]?.live?.write("too late")
  expect(asked[0]?.live?.hasSubscribers()).toBe(false)
  expect(told).toEqual(["One "])
})
