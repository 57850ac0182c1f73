import { describe, expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { EmittedEvent, RunResult } from "../../src/machines/contract/run-event.js"
import type { HostFunction, StoredRun } from "../../src/runtime/index.js"
import { createRunner, memoryJournal, replay, runAt } from "../../src/runtime/index.js"
import type { RunnerOptions } from "../../src/runtime/runner/runner-options.js"
import {
  begin,
  calls,
  chartOf,
  interpreters,
  scriptedModel,
} from "../support/in-both-interpreters.js"
import type { SimulatedClock } from "../support/simulated-clock.js"
import { simulatedClock } from "../support/simulated-clock.js"

const hour = 3_600_000

interface Outcome {
  readonly result: RunResult
  readonly expired: readonly unknown[]
  /** The last message of the last model call. */
  readonly told: string
}

/** Advances the clock until no timer is left. Repeats this, because host functions are asynchronous. */
async function passTime(clock: SimulatedClock, rest: () => Promise<unknown>): Promise<void> {
  for (const _ of [1, 2, 3, 4]) {
    await clock.runUntilIdle()
    await rest()
  }
}

async function expire(
  interpreter: (typeof interpreters)[number],
  chart: AgentChart,
  services: RunnerOptions["services"],
  script: Parameters<typeof scriptedModel>[0] = {},
): Promise<Outcome> {
  const clock = simulatedClock()
  const { models, asked } = scriptedModel(script)
  const { controls, events } = begin(
    interpreter,
    chart,
    { models, clock, services: services ?? {} },
    { runId: "r", prompt: "go" },
  )
  await passTime(clock, () => controls.whenSettled())
  const expired = events.filter(
    (event): event is Extract<EmittedEvent, { type: "request.expired" }> =>
      event.type === "request.expired",
  )
  return {
    result: controls.snapshot(),
    expired: expired.map(({ id, agent, onExpiry }) => ({ id, agent, onExpiry })),
    told: JSON.stringify(asked.at(-1)?.messages.at(-1) ?? null),
  }
}

const flow = chartOf({
  rootAgentId: "flow",
  agents: [{ type: "CustomAgent", id: "flow" }],
  initialUserInput: "go",
})

type Options = NonNullable<Parameters<Parameters<HostFunction>[0]["ask"]>[2]>

/** Asks a question and returns the answer or the error as the content. */
const asking =
  (options: Options, catches = false): HostFunction =>
  async (context) => {
    try {
      const answer = await context.ask("Which one?", { of: 3 }, options)
      return { content: `answer: ${JSON.stringify(answer)}` }
    } catch (error) {
      if (!catches) throw error
      const { code, message } = error as { readonly code: string; readonly message: string }
      return { content: `${code}: ${message}` }
    }
  }

describe.each(interpreters)("an expired question of a host function (%s)", (interpreter) => {
  test("the promise of an expired question rejects with an error that the function can catch", async () => {
    const { result, expired } = await expire(interpreter, flow, {
      flow: asking({ expiresIn: hour }, true),
    })
    expect(result).toMatchObject({
      status: "completed",
      text: 'request_expired: nobody answered in time: "Which one?"',
    })
    expect(expired).toEqual([{ id: "flow#0", agent: "flow", onExpiry: "reject" }])
  })

  test("a function fails if it does not catch the error of an expired question", async () => {
    const { result } = await expire(interpreter, flow, { flow: asking({ expiresIn: hour }) })
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "request_expired",
        agent: "flow",
        message: expect.stringContaining("nobody answered in time"),
      },
    })
  })

  test("an expired question with onExpiry continue is answered with null", async () => {
    const { result, expired } = await expire(interpreter, flow, {
      flow: asking({ expiresIn: hour, onExpiry: "continue" }),
    })
    expect(result).toMatchObject({ status: "completed", text: "answer: null" })
    expect(expired).toEqual([{ id: "flow#0", agent: "flow", onExpiry: "continue" }])
  })

  test("an expired question with onExpiry fail fails the run, even if the function catches errors", async () => {
    const { result } = await expire(interpreter, flow, {
      flow: asking({ expiresIn: hour, onExpiry: "fail" }, true),
    })
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "request_expired", agent: "flow" },
    })
  })

  test("an expired question of a tool is an error for the model, or fails the run with onExpiry fail", async () => {
    const chart = chartOf({
      rootAgentId: "clerk",
      agents: [{ type: "LlmAgent", id: "clerk", model: "any", tools: ["choose"] }],
      globalTools: [{ type: "FunctionTool", id: "choose" }],
      initialUserInput: "go",
    })
    const script = { clerk: [calls("choose"), { content: "Without it." }] }
    const told = await expire(interpreter, chart, { choose: asking({ expiresIn: hour }) }, script)
    expect(told.result).toMatchObject({ status: "completed", text: "Without it." })
    expect(told.told).toContain("nobody answered in time")
    const failed = await expire(
      interpreter,
      chart,
      { choose: asking({ expiresIn: hour, onExpiry: "fail" }) },
      script,
    )
    expect(failed.result).toMatchObject({
      status: "failed",
      error: { code: "request_expired", agent: "clerk" },
    })
  })

  test("a question that is answered in time or cancelled with its run leaves no timer behind", async () => {
    for (const answers of [true, false]) {
      const clock = simulatedClock()
      const from = clock.now()
      const { controls } = begin(
        interpreter,
        flow,
        { clock, services: { flow: asking({ expiresIn: hour }) } },
        { runId: "r" },
      )
      expect((await controls.whenSettled()).status).toBe("waiting")
      expect(controls.pending()).toMatchObject([
        {
          id: "flow#0",
          kind: "input",
          prompt: "Which one?",
          details: { of: 3 },
          expiresAt: from + hour,
        },
      ])
      if (answers) controls.say("that one")
      else controls.cancel()
      expect(await controls.whenSettled()).toMatchObject(
        answers ? { status: "completed", text: 'answer: "that one"' } : { status: "cancelled" },
      )
      await clock.runUntilIdle()
      expect(clock.now()).toBe(from)
    }
  })

  test.each([
    [{ expiresIn: 0 }, "greater than 0, not 0"],
    [{ expiresIn: Number.NaN }, "greater than 0, not NaN"],
    [{ expiresIn: 5, onExpiry: "shrug" as "fail" }, 'not "shrug"'],
  ])(
    "a question with the invalid options %j fails with a message that explains the error",
    async (options, words) => {
      const { result } = await expire(interpreter, flow, { flow: asking(options) })
      expect(result).toMatchObject({
        status: "failed",
        error: { code: "host_code_failed", message: expect.stringContaining(words) },
      })
    },
  )
})

describe("restarts and replays of a run with an expiring question", () => {
  const services = { flow: asking({ expiresIn: hour, onExpiry: "continue" }) }

  const played = async (): Promise<StoredRun> => {
    const journal = memoryJournal()
    const clock = simulatedClock()
    const run = createRunner({ clock, services, journal }).start(flow, { runId: "r" })
    await passTime(clock, () => run.whenSettled())
    return JSON.parse(JSON.stringify(journal.load("r"))) as StoredRun
  }

  test("a run that is resumed at any record, even after the expiry, has the same result", async () => {
    const { header, records } = await played()
    expect(records).toHaveLength(3)
    for (let length = 0; length <= records.length; length++) {
      for (const late of [0, 5 * hour]) {
        const clock = simulatedClock(header.at + late)
        const journal = memoryJournal({ r: { header, records: records.slice(0, length) } })
        const resumed = await createRunner({ clock, services, journal }).resume("r")
        await passTime(clock, () => resumed.whenSettled())
        expect(resumed.snapshot(), `${length} records, ${late} ms late`).toMatchObject({
          status: "completed",
          text: "answer: null",
        })
        // A run with an open question that is resumed late does not wait again.
        const waited = length >= 1 && late > 0 ? 0 : length <= 1 ? hour : 0
        expect(clock.now()).toBe(header.at + late + waited)
      }
    }
  })

  test("runAt shows the expiry of a question as a pause, and a replay reproduces it", async () => {
    const stored = await played()
    expect(runAt(stored, { at: 1 }).inFlight).toMatchObject([
      { kind: "pause", awaits: "flow#0", until: stored.header.at + hour },
    ])
    expect(replay(stored, stored.header.chart)).toMatchObject({
      isSame: true,
      after: { status: "completed" },
    })
  })
})

describe.each(interpreters)("an expired confirmation (%s)", (interpreter) => {
  const files = { list: () => [{ name: "erase" }], call: () => "erased" }
  const clerk = (toolset: object) =>
    chartOf({
      rootAgentId: "clerk",
      agents: [{ type: "LlmAgent", id: "clerk", model: "any", tools: ["files"] }],
      globalTools: [
        { type: "Toolset", id: "files", requireConfirmation: true, expiresIn: "1h", ...toolset },
      ],
      initialUserInput: "go",
    })
  const script = { clerk: [calls("erase"), { content: "Not erased." }] }

  test("an expired confirmation of a toolset's tool rejects the call, or fails the run with onExpiry fail", async () => {
    const refused = await expire(interpreter, clerk({}), { files }, script)
    expect(refused.result).toMatchObject({ status: "completed", text: "Not erased." })
    expect(refused.told).toContain("nobody answered in time")
    expect(refused.expired).toMatchObject([{ agent: "clerk", onExpiry: "reject" }])
    expect(
      (await expire(interpreter, clerk({ onExpiry: "fail" }), { files }, script)).result,
    ).toMatchObject({ status: "failed", error: { code: "request_expired" } })
  })

  test("an expired confirmation of an AgentTool rejects the call, or fails the run with onExpiry fail", async () => {
    const rules = () => ({ outcome: "CONFIRM" })
    const asked = (tool: object) => ({
      rootAgentId: "clerk",
      agents: [
        { type: "LlmAgent", id: "clerk", model: "any", tools: ["ask_expert"] },
        { type: "LlmAgent", id: "expert", model: "any" },
      ],
      globalTools: [
        { type: "AgentTool", id: "ask_expert", targetAgentId: "expert", expiresIn: "1h", ...tool },
      ],
      plugins: [{ type: "SecurityPlugin", policyEngine: "rules" }],
      initialUserInput: "go",
    })
    const models = {
      clerk: [calls("ask_expert", { request: "?" }), { content: "Not asked." }],
      expert: [{ content: "I was run." }],
    }
    const refused = await expire(interpreter, chartOf(asked({})), { rules }, models)
    expect(refused.result).toMatchObject({
      status: "completed",
      text: "Not asked.",
      usage: { modelCalls: 2 },
    })
    expect(refused.told).toContain("nobody answered in time")
    expect(
      (await expire(interpreter, chartOf(asked({ onExpiry: "fail" })), { rules }, models)).result,
    ).toMatchObject({ status: "failed", error: { code: "request_expired", agent: "clerk" } })
  })

  test("an expired confirmation of an AgentTool with an inline agent rejects the call", async () => {
    const rules = () => ({ outcome: "CONFIRM" })
    const expert = { type: "LlmAgent", name: "expert", model: "any" }
    const agents = [
      {
        type: "LlmAgent",
        id: "clerk",
        model: "any",
        tools: [{ name: "AgentTool", args: { agent: expert, expiresIn: "1h" } }],
      },
    ]
    const chart = chartOf({
      rootAgentId: "clerk",
      agents,
      plugins: [{ type: "SecurityPlugin", policyEngine: "rules" }],
      initialUserInput: "go",
    })
    const { result } = await expire(
      interpreter,
      chart,
      { rules },
      { clerk: [calls("expert", { request: "?" }), { content: "Not asked." }] },
    )
    expect(result).toMatchObject({ status: "completed", text: "Not asked." })
  })
})
