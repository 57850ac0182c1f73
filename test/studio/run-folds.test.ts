import { describe, expect, test } from "vitest"
import type { EmittedEvent, RunBoundaryEvent } from "../../src/machines/contract/run-event.js"
import { RunFolds } from "../../src/studio/page/run/folds/run-folds.js"
import { FilteredEntries } from "../../src/studio/page/run/events/filtered-entries.js"
import { axisTime, timeGap } from "../../src/studio/page/run/timeline/time-gap.js"
import { visibleCalls } from "../../src/studio/page/run/timeline/visible-calls.js"

const call = (path: string, n: number): string => `run/${path}#${n}`

/** Folds events. Each event is passed with its time. */
function foldsOf(
  events: readonly (readonly [at: number, event: EmittedEvent | RunBoundaryEvent])[],
): RunFolds {
  const folds = new RunFolds()
  for (const [seq, [at, event]] of events.entries())
    folds.apply({ seq, at, runId: "run", ...event })
  return folds
}

const locationIn = (agent: string, path: string, branch: string | null = null) => ({
  agent,
  path,
  branch,
})

const answer = (content: string, usage: { inputTokens: number; outputTokens: number } | null) => ({
  content,
  toolCalls: [],
  exitFlow: false,
  escalate: false,
  waitForUserInput: false,
  hitlRequest: null,
  usage,
})

const started = (agent: string, path: string, branch: string | null = null) =>
  ({ type: "agent.started", kind: "LlmAgent", ...locationIn(agent, path, branch) }) as const

const called = (agent: string, path: string, n = 0, attempt = 1, branch: string | null = null) =>
  ({
    type: "model.called",
    call: call(path, n),
    attempt,
    messages: 1,
    ...locationIn(agent, path, branch),
  }) as const

const responded = (agent: string, path: string, n = 0, branch: string | null = null) =>
  ({
    type: "model.responded",
    call: call(path, n),
    answer: answer("Done.", { inputTokens: 10, outputTokens: 4 }),
    ...locationIn(agent, path, branch),
  }) as const

describe("the log of a run", () => {
  test("the pause before a retry belongs to the tool call that failed, not to a call in parallel", () => {
    const desk = locationIn("desk", "desk")
    const calls = (callId: string, attempt = 1) =>
      ({ type: "tool.called", callId, tool: "look", arguments: {}, attempt, ...desk }) as const
    const { log } = foldsOf([
      [0, calls("a")],
      [1, calls("b")],
      [
        5,
        {
          type: "retry.scheduled",
          of: "run/desk/tool:b#0",
          callId: "b",
          attempt: 2,
          until: 25,
          error: { code: "http_status", message: "busy", status: 503 } as never,
          ...desk,
        },
      ],
      [25, calls("b", 2)],
    ])
    expect(log.entries.map(({ call: logged }) => logged)).toMatchObject([
      { id: "a", attempts: 1, pauses: [] },
      { id: "b", attempts: 2, pauses: [{ from: 5, until: 25, error: "busy" }] },
    ])
  })

  test("the log groups a call with its retries and its response", () => {
    const { log } = foldsOf([
      [0, started("writer", "writer")],
      [1, called("writer", "writer")],
      [
        5,
        {
          type: "retry.scheduled",
          of: call("writer", 0),
          attempt: 2,
          until: 25,
          error: { code: "http_status", message: "busy", status: 503 } as never,
          ...locationIn("writer", "writer"),
        },
      ],
      [25, called("writer", "writer", 0, 2)],
      [40, responded("writer", "writer")],
    ])
    expect(log.entries).toHaveLength(2)
    expect(log.entries[1]?.events).toHaveLength(4)
    expect(log.entries[1]?.call).toMatchObject({
      kind: "model",
      start: 1,
      end: 40,
      attempts: 2,
      pauses: [{ from: 5, until: 25, error: "busy" }],
      tokens: { input: 10, output: 4 },
      error: null,
    })
  })

  test("the log separates tool calls with the same id in parallel branches", () => {
    const tool = (path: string, type: "tool.called" | "tool.finished"): EmittedEvent =>
      type === "tool.called"
        ? { type, callId: "1", tool: "t", arguments: {}, attempt: 1, ...locationIn("a", path) }
        : { type, callId: "1", tool: "t", response: {}, ...locationIn("a", path) }
    const { log } = foldsOf([
      [0, tool("all[0]/a", "tool.called")],
      [1, tool("all[1]/a", "tool.called")],
      [2, tool("all[1]/a", "tool.finished")],
    ])
    expect(log.entries.map(({ call: one }) => one?.end)).toEqual([null, 2])
  })

  test("the log contains the call that caused a failure", () => {
    const error = { code: "call_failed", message: "no route", agent: "writer" } as never
    const finished = (agent: string, path: string): EmittedEvent => ({
      type: "agent.finished",
      kind: "LlmAgent",
      outcome: "failed",
      text: null,
      error,
      ...locationIn(agent, path),
    })
    const { log } = foldsOf([
      [0, started("line", "line")],
      [1, started("writer", "line/writer")],
      [2, called("writer", "line/writer")],
      [9, finished("writer", "line/writer")],
      [9, finished("line", "line")],
    ])
    expect(log.cause).toBe(2)
    expect(log.entries[2]?.call).toMatchObject({ end: 9, error: "no route" })
  })
})

describe("the lanes of a run", () => {
  test("all iterations of a loop share one lane, and each branch has its own lane", () => {
    const { lanes } = foldsOf([
      [0, started("rounds", "rounds")],
      [1, started("writer", "rounds[0]/writer")],
      [2, called("writer", "rounds[0]/writer")],
      [3, responded("writer", "rounds[0]/writer")],
      [4, started("writer", "rounds[1]/writer")],
      [5, started("fan", "fan")],
      [6, started("worker", "fan[0]/worker", "fan.0")],
      [6, started("worker", "fan[1]/worker", "fan.1")],
    ])
    expect(lanes.all.map(({ path, depth }) => [path, depth])).toEqual([
      ["rounds", 0],
      ["rounds[0]/writer", 1],
      ["fan", 0],
      ["fan[0]/worker", 1],
      ["fan[1]/worker", 1],
    ])
  })

  test("a lane shows concurrent calls in separate rows", () => {
    const { lanes } = foldsOf([
      [0, called("a", "a", 0)],
      [1, called("a", "a", 1)],
      [5, responded("a", "a", 0)],
      [6, called("a", "a", 2)],
    ])
    expect(lanes.all[0]?.rows.map((row) => row.map(({ entry }) => entry))).toEqual([[0, 3], [1]])
  })
})

describe("the bars of the timeline", () => {
  /** A row with a call every 10 ms. Each call takes 8 ms. */
  const row = Array.from({ length: 10_000 }, (_, index) => ({
    entry: index,
    call: {
      kind: "model",
      id: String(index),
      name: "",
      agent: "a",
      path: "a",
      branch: null,
      start: index * 10,
      end: index * 10 + 8,
      attempts: 1,
      pauses: [],
      error: null,
      tokens: null,
    } as const,
  }))

  test("the number of bars is limited by the width, and the bars contain every call", () => {
    const bars = visibleCalls(row, { from: 0, to: 100_000, width: 500, gap: null }, 100_000)
    expect(bars.length).toBeLessThan(130)
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(10_000)
  })

  test("only the calls in the visible time have bars", () => {
    const bars = visibleCalls(row, { from: 50_000, to: 50_100, width: 1_000, gap: null }, 100_000)
    expect(bars.map(({ first }) => first.entry)).toEqual(
      Array.from({ length: 11 }, (_, index) => 5_000 + index),
    )
    expect(bars[1]).toMatchObject({ left: 100, width: 80, count: 1 })
  })

  test("the bars omit the time between the recorded events of a fork and its start", () => {
    const ats = [0, 40, 1_000_050, 1_000_100]
    const { events } = foldsOf(ats.map((at) => [at, started("a", "a")] as const))
    const gap = timeGap(events, 1_000_000)
    expect(gap).toEqual({ from: 40, to: 1_000_050 })
    expect(timeGap(events, 0)).toBeNull()
    expect(timeGap(events, 2_000_000)).toBeNull()
    const end = axisTime(1_000_100, gap)
    expect(end).toBe(90)
    const [first] = row
    if (first === undefined) throw new Error("The row is empty.")
    const calls = [first, { ...first, call: { ...first.call, start: 1_000_060, end: 1_000_100 } }]
    const bars = visibleCalls(calls, { from: 0, to: end, width: 90, gap }, 1_000_100)
    expect(bars.map(({ left, width }) => [left, width])).toEqual([
      [0, 8],
      [50, 40],
    ])
  })
})

describe("the filter of the event list", () => {
  test("a call is added to the filtered list when its response matches, and the order is kept", () => {
    const folds = foldsOf([
      [0, called("a", "a", 0)],
      [1, called("b", "b", 0)],
      [2, responded("b", "b", 0)],
    ])
    const filtered = new FilteredEntries(folds.log, ({ events }) =>
      events.some(({ type }) => type === "model.responded"),
    )
    expect(filtered.advance(1_000)).toBe(true)
    expect(filtered.indexes).toEqual([1])
    folds.apply({ seq: 3, at: 4, runId: "run", ...responded("a", "a", 0) })
    filtered.advance(1_000)
    expect(filtered.indexes).toEqual([0, 1])
    expect(filtered.positionOf(1)).toBe(1)
    expect(filtered.positionOf(2)).toBeNull()
  })
})
