import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import { runAt } from "../../src/runtime/index.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { parseTime } from "../../src/machines/wait/wait-time.js"
import { begin, chartOf, interpreters } from "../support/in-both-interpreters.js"
import { simulatedClock } from "../support/simulated-clock.js"

const hour = 3_600_000
const start = Date.parse("2026-11-23T08:00:00Z")

const writer = (name: string) => ({
  name,
  agent_class: "LlmAgent",
  model: "m",
  instruction: `Be ${name}.`,
  output_key: `${name}_text`,
})
const wait = (fields: object, name = "pause") => ({ name, agent_class: "WaitAgent", ...fields })
const group = (agent_class: string, sub_agents: readonly object[], fields: object = {}) => ({
  name: "group",
  agent_class,
  sub_agents,
  ...fields,
})
const sequence = (...agents: readonly object[]) => group("SequentialAgent", agents)

/** A model that records the times of its calls, in hours since the start. */
function timedModel() {
  const clock = simulatedClock(start)
  const called: (readonly [agent: string, hours: number])[] = []
  const models = {
    m: {
      call: async ({ agent }: { readonly agent: string }) => {
        called.push([agent, (clock.now() - start) / hour])
        return { content: `Text of ${agent}` }
      },
    },
  }
  return { clock, called, services: { clock, models } }
}

async function play(
  interpreter: (typeof interpreters)[number],
  config: object,
  state: Readonly<Record<string, unknown>> = {},
) {
  const { clock, called, services } = timedModel()
  const { controls, events } = begin(interpreter, chartOf(config), services, {
    prompt: "Go",
    state,
  })
  await clock.runUntilIdle()
  return { called, events, result: controls.snapshot(), hours: (clock.now() - start) / hour }
}

describe.each(interpreters)("a WaitAgent (%s)", (interpreter) => {
  test("delays the next agent by its duration and keeps the text of the previous agent", async () => {
    const { called, events, result } = await play(
      interpreter,
      sequence(writer("first"), wait({ duration: "24h" }), writer("second")),
    )
    expect(called).toEqual([
      ["first", 0],
      ["second", 24],
    ])
    expect(result).toMatchObject({ status: "completed", text: "Text of second" })
    expect(events.flatMap(({ agent, type }) => (agent === "pause" ? [type] : []))).toEqual([
      "agent.started",
      "agent.finished",
    ])
  })

  test("waits until a time in the state, and not at all if the time has passed", async () => {
    const config = sequence(wait({ until: "{visit}" }), writer("caller"))
    for (const [visit, hours] of [
      ["2026-11-23T11:00:00Z", 3],
      ["2026-11-23T13:30:00.000+02:30", 3],
      [start + 2 * hour, 2],
      ["2026-11-22T08:00:00Z", 0],
    ] as const)
      expect((await play(interpreter, config, { visit })).called).toEqual([["caller", hours]])
  })

  test.each([
    [{}, 'the session state has no key "visit"'],
    [{ visit: "tomorrow" }, 'its value "tomorrow" is not a time'],
    [{ visit: "2026-11-23T11:00:00" }, "is not a time; write an ISO time with a time zone"],
  ])("fails with time_invalid if the state contains no time: %j", async (state, message) => {
    const config = sequence(wait({ until: "{visit}" }), writer("caller"))
    const { result, called } = await play(interpreter, config, state)
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "time_invalid", agent: "pause", message: expect.stringContaining(message) },
    })
    expect(called).toEqual([])
  })

  test("does not delay other branches of a parallel block", async () => {
    const branch = (name: string, duration: string) => ({
      name: `${name}_branch`,
      agent_class: "SequentialAgent",
      sub_agents: [wait({ duration }, `${name}_pause`), writer(name)],
    })
    const { called, result } = await play(
      interpreter,
      group("ParallelAgent", [writer("now"), branch("late", "2h"), branch("soon", "1h")]),
    )
    expect(called).toEqual([
      ["now", 0],
      ["soon", 1],
      ["late", 2],
    ])
    expect(result.state).toMatchObject({ now_text: "Text of now", late_text: "Text of late" })
  })

  test("waits in each branch of a block with a maximum concurrency, and in each iteration of a loop", async () => {
    const blocks = await play(
      interpreter,
      group("ParallelAgent", [wait({ duration: "1h" }, "a"), wait({ duration: "1h" }, "b")], {
        max_concurrency: 1,
      }),
    )
    expect([blocks.hours, blocks.result.status]).toEqual([2, "completed"])
    const { called } = await play(
      interpreter,
      group("LoopAgent", [writer("poll"), wait({ duration: "30m" })], { max_iterations: 3 }),
    )
    expect(called).toEqual([
      ["poll", 0],
      ["poll", 0.5],
      ["poll", 1],
    ])
  })

  test("passes its input on as a node of a graph", async () => {
    const { called, result } = await play(interpreter, {
      name: "flow",
      agent_class: "Workflow",
      edges: [["START", writer("draft"), wait({ duration: "1h" }), writer("sender")]],
    })
    expect(called).toEqual([
      ["draft", 0],
      ["sender", 1],
    ])
    expect(result).toMatchObject({ status: "completed", text: "Text of sender" })
  })

  test("ends when the run is cancelled", async () => {
    const { clock, called, services } = timedModel()
    const config = sequence(wait({ duration: "24h" }), writer("caller"))
    const { controls } = begin(interpreter, chartOf(config), services, { prompt: "Go" })
    clock.wakeAt(start + hour, () => void controls.cancel())
    await clock.runUntilIdle()
    expect(controls.snapshot()).toMatchObject({ status: "cancelled" })
    expect([called, clock.now()]).toEqual([[], start + hour])
  })
})

test("both interpreters emit the same events for WaitAgents", async () => {
  const config = group("ParallelAgent", [
    wait({ duration: "2h" }, "long"),
    wait({ until: "{visit}" }, "visit"),
    wait({ until: "2026-11-23T08:30:00Z" }, "soon"),
  ])
  const state = { visit: "2026-11-23T09:00:00Z" }
  const [run, actor] = await Promise.all(
    interpreters.map(async (interpreter) =>
      (await play(interpreter, config, state)).events.map((event) => ({
        ...event,
        at: null,
        seq: null,
        runId: null,
      })),
    ),
  )
  expect(actor).toEqual(run)
})

test("a resumed run continues at the original time, or immediately if this time has passed", async () => {
  const config = sequence(writer("first"), wait({ duration: "24h" }), writer("second"))
  for (const [down, wakes] of [
    [10, 24],
    [30, 30],
  ] as const) {
    const { clock, called, services } = timedModel()
    const journal = memoryJournal()
    const killed = createRunner({ ...services, journal })
    killed.start(chartOf(config), { runId: "r", prompt: "Go" })
    clock.wakeAt(start + hour, () => void killed.close())
    clock.wakeAt(start + down * hour, () => {
      void createRunner({ ...services, journal }).resume("r")
    })
    await clock.runUntilIdle()
    expect(called).toEqual([
      ["first", 0],
      ["second", wakes],
    ])
    const stored = await journal.load("r")
    if (stored === null) throw new Error("the run is not stored")
    expect(runAt(stored, { at: 1 }).inFlight).toEqual([
      { n: 1, kind: "pause", until: start + 24 * hour, waits: "group/pause" },
    ])
    // A replay does not wait.
    expect(runAt(stored).result.status).toBe("completed")
  }
})

test.each([
  [{}, "missing_field"],
  [{ duration: "1h", until: "{visit}" }, "bad_value"],
  [{ duration: "soon" }, "bad_duration"],
  [{ until: "tomorrow" }, "bad_value"],
  [{ until: "2026-11-23T08:00:00" }, "bad_value"],
])("the compiler rejects a WaitAgent without exactly one valid time: %j", (fields, code) => {
  for (const [dialect, config] of [
    ["adk", sequence(wait(fields), writer("caller"))],
    [
      "graph-compose",
      {
        rootAgentId: "line",
        agents: [
          { type: "SequentialAgent", id: "line", subAgents: [{ agentId: "pause" }] },
          { type: "WaitAgent", id: "pause", ...fields },
        ],
      },
    ],
  ] as const) {
    const { chart, diagnostics } = compile(config, { dialect })
    expect(chart).toBeNull()
    expect(diagnostics.map((one) => one.code)).toContain(code)
  }
})

test("a runner with skipWaits ends the waits of WaitAgents immediately, but no other timers", async () => {
  const { clock, called, services } = timedModel()
  const human = { name: "boss", agent_class: "HumanAgent", expires_in: "1h", on_expiry: "continue" }
  const config = sequence(wait({ duration: "24h" }), human, writer("caller"))
  createRunner({ ...services, skipWaits: true }).start(chartOf(config), { prompt: "Go" })
  await clock.runUntilIdle()
  expect(called).toEqual([["caller", 1]])
})

test("parseTime returns null for a time without a time zone and for other invalid times", () => {
  expect(parseTime("2026-11-23T08:00Z")).toBe(start)
  expect(parseTime(" 2026-11-23T09:00:00+01:00 ")).toBe(start)
  expect(parseTime(String(start))).toBe(start)
  for (const text of ["", "2026-11-23", "2026-11-23T08:00:00", "2026-13-23T08:00:00Z", "1e9", "-1"])
    expect(parseTime(text)).toBeNull()
})
