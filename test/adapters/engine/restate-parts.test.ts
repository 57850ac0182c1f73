import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dueTimes } from "../../../src/adapters/engine/restate/due-times.js"
import type { FinishedCall } from "../../../src/adapters/engine/restate/open-calls.js"
import { restateCalls } from "../../../src/adapters/engine/restate/open-calls.js"
import { storableResult } from "../../../src/adapters/engine/restate/state-reply.js"
import type { Envelope } from "../../../src/machines/contract/services.js"
import type { RunResult } from "../../../src/machines/contract/run-event.js"
import type { LeafCall } from "../../../src/runtime/driver/host.js"

const modelCall = (n: number, path = "line/writer"): LeafCall => ({
  n,
  src: "callModel",
  input: { request: { runId: "r", idempotencyKey: `r/${path}#${n}` } },
})

/** Calls that the test ends by their number. */
function endable() {
  const ends = new Map<number, (result: Envelope | null) => void>()
  const begun: number[] = []
  const aborted: number[] = []
  const calls = restateCalls({
    now: () => 5,
    perform: ({ n }, signal) =>
      new Promise((resolve) => {
        begun.push(n)
        ends.set(n, resolve)
        signal.addEventListener("abort", () => {
          aborted.push(n)
          resolve(null)
        })
      }),
  })
  const end = (n: number, value: unknown = n): void => ends.get(n)?.({ ok: true, value, at: 7 })
  return { calls, begun, aborted, end }
}

const arrivals = async (batch: Promise<string>): Promise<readonly FinishedCall[]> =>
  JSON.parse(await batch) as readonly FinishedCall[]

describe("the calls of a run on Restate", () => {
  test("calls start only after the replay, because their results may already be stored", async () => {
    const { calls, begun, end } = endable()
    calls.begin(modelCall(0))
    calls.begin(modelCall(1))
    calls.close(0)
    expect(begun).toEqual([])
    const batch = calls.perform()
    // After this, new calls start at once.
    calls.begin(modelCall(2))
    expect(begun).toEqual([1, 2])
    end(2, "two")
    expect(await arrivals(batch)).toEqual([{ n: 2, result: { ok: true, value: "two", at: 7 } }])
  })

  test("calls that end at the same time return their results in one batch", async () => {
    const { calls, end } = endable()
    for (let n = 0; n < 4; n++) calls.begin(modelCall(n))
    const batch = calls.perform()
    for (const n of [2, 0, 3]) end(n)
    expect((await arrivals(batch)).map(({ n }) => n)).toEqual([2, 0, 3])
  })

  test("stopped calls are aborted, and a batch without open calls is empty", async () => {
    const { calls, aborted, end } = endable()
    const stops = [0, 1].map((n) => calls.begin(modelCall(n)))
    const batch = calls.perform()
    for (const stop of stops) stop()
    expect({ aborted, areThere: calls.hasOpenCalls() }).toEqual({
      aborted: [0, 1],
      areThere: false,
    })
    expect(await arrivals(batch)).toEqual([])
    end(0)
    calls.begin(modelCall(2))
    const next = calls.perform()
    end(2)
    expect((await arrivals(next)).map(({ n }) => n)).toEqual([2])
  })

  test("calls are aborted at the end of the attempt, and their batch never resolves", async () => {
    const { calls, aborted } = endable()
    calls.begin(modelCall(0))
    const batch = calls.perform()
    calls.abort()
    expect(aborted).toEqual([0])
    expect(
      await Promise.race([batch, new Promise((resolve) => setImmediate(resolve, "still waiting"))]),
    ).toBe("still waiting")
  })

  test.each([
    ["a number that JSON cannot represent", 10n, "tool_call_failed", /not JSON/],
    [
      "larger than a message of Restate",
      "x".repeat(25 * 1024 * 1024),
      "response_too_large",
      /bytes as JSON/,
    ],
  ])("a call fails without a retry if its result is %s", async (_, value, code, message) => {
    const { calls, end } = endable()
    calls.begin({ ...modelCall(0), src: "callTool" })
    const batch = calls.perform()
    end(0, value)
    expect(await arrivals(batch)).toEqual([
      {
        n: 0,
        result: {
          ok: false,
          at: 5,
          error: { code, message: expect.stringMatching(message), retryable: false },
        },
      },
    ])
  })

  test("the name of a step in Restate's journal lists the open calls", () => {
    const { calls } = endable()
    calls.begin(modelCall(0))
    expect(calls.describe()).toBe("model line/writer#0")
    for (let n = 1; n < 6; n++) calls.begin({ ...modelCall(n, "line/look"), src: "callTool" })
    expect(calls.describe()).toBe(
      "one of 6: model line/writer#0, tool line/look#1, tool line/look#2, tool line/look#3, ...",
    )
  })
})

test("a run fails with response_too_large if its final state is too large for Restate", () => {
  const result: RunResult = {
    runId: "r",
    status: "completed",
    text: "all",
    state: { all: "é".repeat(13 * 1024 * 1024) },
    error: null,
    usage: { modelCalls: 1, toolCalls: 0, inputTokens: 0, outputTokens: 0 },
  }
  expect(storableResult(result)).toMatchObject({
    status: "failed",
    state: {},
    text: null,
    error: { code: "response_too_large" },
    usage: { modelCalls: 1 },
  })
  const small = { ...result, state: { all: "little" } }
  expect(storableResult(small)).toBe(small)
})

test("due times are returned in order, and removed times are not returned", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ until: fc.nat(20), isGone: fc.boolean() })),
      fc.nat(20),
      (waiting, now) => {
        const times = dueTimes()
        waiting.forEach(({ until }, n) => times.add(n, until))
        waiting.forEach(({ isGone }, n) => isGone && times.remove(n))
        const there = waiting
          .map(({ until, isGone }, n) => ({ n, until, isGone }))
          .filter(({ isGone }) => !isGone)
        const inOrder = there
          .map(({ n, until }) => ({ n, until }))
          .sort((one, other) => one.until - other.until || one.n - other.n)
        expect(times.earliest()).toBe(inOrder[0]?.until ?? null)
        expect(times.upTo(now)).toEqual(inOrder.filter(({ until }) => until <= now))
        expect(times.earliest()).toBe(inOrder.find(({ until }) => until > now)?.until ?? null)
      },
    ),
  )
})
