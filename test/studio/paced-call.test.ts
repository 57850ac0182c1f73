import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { PacedCall } from "../../src/studio/page/client/paced-call.js"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("thousands of requests lead to one call per interval", async () => {
  const calls: number[] = []
  let requests = 0
  const call = new PacedCall(async () => void calls.push(requests), { everyMs: 100 })
  for (let event = 0; event < 8_000; event++) {
    requests++
    call.request()
    if (event % 8 === 0) await vi.advanceTimersByTimeAsync(1)
  }
  await vi.runAllTimersAsync()
  // The events arrive during one second.
  expect(calls.length).toBeGreaterThanOrEqual(10)
  expect(calls.length).toBeLessThanOrEqual(12)
  expect(calls.at(-1)).toBe(8_000)
})

test("a pause follows a slow call, and all requests during both share the next call", async () => {
  let calls = 0
  const slow = async (): Promise<void> => {
    calls++
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const call = new PacedCall(slow, { everyMs: 100, rest: 10 })
  call.request()
  for (let ms = 0; ms < 540; ms++) {
    await vi.advanceTimersByTimeAsync(1)
    call.request()
  }
  expect(calls).toBe(1)
  await vi.advanceTimersByTimeAsync(20)
  expect(calls).toBe(2)
  call.stop()
})

test("an urgent request skips the pause, and no call is made after stop()", async () => {
  let calls = 0
  const call = new PacedCall(async () => void calls++, { everyMs: 10_000 })
  call.request()
  await vi.advanceTimersByTimeAsync(1)
  call.request()
  call.requestNow()
  await vi.advanceTimersByTimeAsync(1)
  expect(calls).toBe(2)
  call.request()
  call.stop()
  await vi.runAllTimersAsync()
  expect(calls).toBe(2)
})
