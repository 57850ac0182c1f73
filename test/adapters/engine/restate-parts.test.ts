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

/** Calls that end when they are told to, as services do: by their ordinal. */
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
  test("are not made before the run has come to where it stands, as what they came to may be stored", async () => {
    const { calls, begun, end } = endable()
    calls.begin(modelCall(0))
    calls.begin(modelCall(1))
    calls.close(0)
    expect(begun).toEqual([])
    const batch = calls.perform()
    // From now on they are made at once.
    calls.begin(modelCall(2))
    expect(begun).toEqual([1, 2])
    end(2, "two")
    expect(await arrivals(batch)).toEqual([{ n: 2, result: { ok: true, value: "two", at: 7 } }])
  })

  test("come in together when they end together", async () => {
    const { calls, end } = endable()
    for (let n = 0; n < 4; n++) calls.begin(modelCall(n))
    const batch = calls.perform()
    for (const n of [2, 0, 3]) end(n)
    expect((await arrivals(batch)).map(({ n }) => n)).toEqual([2, 0, 3])
  })

  test("that are stopped are aborted, and when none is left nobody waits", async () => {
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

  test("are let go of when the attempt is over, and tell nothing more", async () => {
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
    ["a number that JSON has no word for", 10n, "tool_call_failed", /not JSON/],
    [
      "more than a message of Restate takes",
      "x".repeat(25 * 1024 * 1024),
      "response_too_large",
      /bytes as JSON/,
    ],
  ])(
    "fail where the result is %s, instead of being made again and again",
    async (_, value, code, message) => {
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
    },
  )

  test("are named in Restate's journal", () => {
    const { calls } = endable()
    calls.begin(modelCall(0))
    expect(calls.describe()).toBe("model line/writer#0")
    for (let n = 1; n < 6; n++) calls.begin({ ...modelCall(n, "line/look"), src: "callTool" })
    expect(calls.describe()).toBe(
      "one of 6: model line/writer#0, tool line/look#1, tool line/look#2, tool line/look#3, ...",
    )
  })
})

test("a run whose state is more than Restate keeps has failed, and says so", () => {
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

test("times are due in their order, and those that were taken back are not", () => {
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
