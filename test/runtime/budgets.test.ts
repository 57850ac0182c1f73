import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/index.js"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { begin, calls, interpreters, scriptedModel } from "../support/in-both-interpreters.js"
import { playBoth, resumeEverywhere } from "../support/play-both.js"
import { agentTool, chartOf, llm, loop, parallel, sequence } from "../support/workflow.js"
import { scriptedServices } from "../support/scripted-services.js"

const says = (content: string, inputTokens = 60, outputTokens = 40): object => ({
  content,
  usage: { inputTokens, outputTokens },
})

const three = (
  budget: object | undefined,
  own: Readonly<Record<string, unknown>> = {},
): AgentChart =>
  chartOf(
    [sequence("all", ["first", "second", "third"]), llm("first"), llm("second", own), llm("third")],
    budget === undefined ? {} : { budget },
  )

const services = () =>
  scriptedServices({ first: [says("one")], second: [says("two")], third: [says("three")] })

const asked = ({ events }: { readonly events: readonly { readonly type: string }[] }): number =>
  events.filter(({ type }) => type === "model.responded").length

describe("the budget of a run", () => {
  test.each([
    [{ maxTokens: 200 }, "maxTokens (200; used 200)"],
    [{ maxInputTokens: 100 }, "maxInputTokens (100; used 120)"],
    [{ maxOutputTokens: 41 }, "maxOutputTokens (41; used 80)"],
    [{ maxModelCalls: 2 }, "maxModelCalls (2; used 2)"],
  ])(
    "a run that has used up the budget %j ends with status limit and keeps its state",
    async (budget, part) => {
      const played = await playBoth(three(budget), services)
      expect(played.result).toMatchObject({
        status: "limit",
        error: {
          code: "limit_reached",
          agent: "third",
          message: expect.stringContaining(
            `the budget of the run was used up before a model call of agent "third": ${part}`,
          ) as unknown,
        },
        state: { first_text: "one", second_text: "two" },
      })
      expect(asked(played)).toBe(2)
      await resumeEverywhere(played, services)
    },
  )

  test("a budget that is not reached does not change the result of the run", async () => {
    const { result } = await playBoth(three({ maxTokens: 201, maxModelCalls: 3 }), services)
    const { result: without } = await playBoth(three(undefined), services)
    expect(result).toEqual(without)
    expect(result.status).toBe("completed")
  })

  test("a run that has used up a budget with a final message completes with this message as its text", async () => {
    const played = await playBoth(
      three({ maxTokens: 200, onExceeded: { message: "No more money." } }),
      services,
    )
    expect(played.result).toMatchObject({
      status: "completed",
      text: "No more money.",
      error: null,
      state: { third_text: "No more money." },
    })
    await resumeEverywhere(played, services)
  })

  test("a run of the adk dialect can complete with the final message of its budget", async () => {
    const { chart } = compile({
      dialect: "adk",
      rootAgentId: "all",
      initialUserInput: "Go.",
      budget: { maxModelCalls: 1, onExceeded: { message: "Enough." } },
      agents: [
        {
          type: "SequentialAgent",
          id: "all",
          subAgents: ["a", "b", "c"].map((id) => ({ type: "LlmAgent", id, model: "any" })),
        },
      ],
    })
    const played = await playBoth(chart as AgentChart, () => ({
      models: scriptedModel({ a: [says("one")] }).models,
    }))
    expect(played.result).toMatchObject({ status: "completed", text: "Enough." })
    expect(asked(played)).toBe(2)
  })

  test("the budget of a run counts the calls of agent tools, of all branches and of all iterations", async () => {
    const chart = chartOf(
      [
        loop("rounds", ["both", "boss"], 5),
        parallel("both", ["left", "right"]),
        llm("left"),
        llm("right"),
        llm("boss", { tools: ["ask"] }),
        llm("helper"),
      ],
      { globalTools: [agentTool("ask", "helper")], budget: { maxTokens: 500 } },
    )
    const played = await playBoth(chart, () =>
      scriptedServices({
        left: [says("l")],
        right: [says("r")],
        boss: [{ ...says(""), ...calls("ask", { request: "?" }) }, says("b")],
        helper: [says("h")],
      }),
    )
    // The calls are left, right, boss, helper and boss. Then the next iteration begins.
    expect(asked(played)).toBe(5)
    expect(played.result).toMatchObject({ status: "limit", error: { code: "limit_reached" } })
  })

  test("failed attempts and responses without token counts do not count towards a budget", async () => {
    const again = {
      activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: "1ms" } },
    }
    const chart = chartOf(
      [sequence("all", ["first", "second"]), llm("first", again), llm("second")],
      { budget: { maxModelCalls: 2, maxTokens: 1 } },
    )
    const { result } = await playBoth(chart, () =>
      scriptedServices({
        first: [{ status: 503 }, { status: 503 }, { content: "one" }],
        second: [{ content: "two" }],
      }),
    )
    expect(result).toMatchObject({ status: "completed", text: "two" })
  })
})

describe("the budget of an agent", () => {
  const chart = (budget: object): AgentChart =>
    chartOf([loop("rounds", ["first", "second"], 3), llm("first"), llm("second", { budget })])

  test("the budget of an agent covers all of its turns, and no other agent", async () => {
    const played = await playBoth(chart({ maxTokens: 150 }), services)
    expect(played.result).toMatchObject({
      status: "limit",
      error: {
        agent: "second",
        message: expect.stringContaining(`the budget of agent "second" was used up`) as unknown,
      },
    })
    expect(asked(played)).toBe(5)
    await resumeEverywhere(played, services)
  })

  test("an agent over its budget can end its turn with a final message, and the workflow continues", async () => {
    const played = await playBoth(
      chart({ maxModelCalls: 1, onExceeded: { message: "I am spent." } }),
      services,
    )
    expect(played.result).toMatchObject({
      status: "completed",
      text: "I am spent.",
      state: { first_text: "one", second_text: "I am spent." },
    })
    await resumeEverywhere(played, services)
  })
})

describe("a budget for costs", () => {
  const priceOf = ({
    usage,
  }: {
    readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
  }): number => usage.inputTokens * 0.01 + usage.outputTokens * 0.1

  test("priceOf computes the cost of a call, and the journal contains this cost", async () => {
    const played = await playBoth(three({ maxCost: 9 }), () => ({ ...services(), priceOf }))
    expect(played.result).toMatchObject({
      status: "limit",
      error: { message: expect.stringContaining("maxCost (9; used 9.2)") as unknown },
      usage: { inputTokens: 120, outputTokens: 80, cost: 9.2 },
    })
    expect(
      played.journal.records.map(([, , value]) => (value as { readonly usage: unknown }).usage),
    ).toEqual([
      { inputTokens: 60, outputTokens: 40, cost: 4.6 },
      { inputTokens: 60, outputTokens: 40, cost: 4.6 },
    ])
    await resumeEverywhere(played, () => ({ ...services(), priceOf }))
    // Another `priceOf` does not change the recorded costs.
    const run = await createRunner({
      ...services(),
      priceOf: () => 0,
      journal: memoryJournal({ r: played.journal }),
    }).resume("r")
    expect(await run.whenSettled()).toEqual(played.result)
  })

  test("a run whose budgets have maxCost fails if priceOf is missing", async () => {
    const run = createRunner(services()).start(three({ maxCost: 9 }, { budget: { maxCost: 1 } }))
    expect(await run.result).toMatchObject({
      status: "failed",
      error: {
        code: "service_missing",
        message: `services are missing: the budget of the workflow has "maxCost" and needs "priceOf"; the budget of agent "second" has "maxCost" and needs "priceOf"`,
      },
    })
  })

  test.each([
    ["returned NaN, which is not a price. Return a number, 0 or greater", () => Number.NaN],
    [
      "threw an error: no such model",
      () => {
        throw new Error("no such model")
      },
    ],
  ])("a model call fails if its price is invalid: priceOf %s", async (told, broken) => {
    const { result } = await playBoth(three({ maxCost: 9 }), () => ({
      ...services(),
      priceOf: broken,
    }))
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "model_call_failed", message: expect.stringContaining(told) as unknown },
    })
  })
})

describe.each(interpreters)("a budget that a person can extend (%s)", (interpreter) => {
  const growing = (): AgentChart =>
    chartOf([loop("rounds", ["first"], 4), llm("first")], {
      budget: { maxTokens: 200, onExceeded: "ask" },
    })

  test("an approval extends the budget by the same amount", async () => {
    const { controls, events } = begin(interpreter, growing(), services())
    expect(await controls.whenSettled()).toMatchObject({
      status: "waiting",
      state: { first_text: "one" },
    })
    const [request] = controls.pending()
    expect(request).toMatchObject({
      kind: "approval",
      agent: "first",
      details: { budget: "run" },
      prompt: `the budget of the run was used up before a model call of agent "first": maxTokens (200; used 200). Continue with the same amount again?`,
    })
    controls.approve(request?.id ?? "")
    expect(await controls.whenSettled()).toMatchObject({ status: "completed", text: "one" })
    expect(asked({ events })).toBe(4)
  })

  test("a rejected extension ends the run with status limit", async () => {
    const { controls, events } = begin(interpreter, growing(), services())
    await controls.whenSettled()
    controls.reject(controls.pending()[0]?.id ?? "", "too dear")
    expect(await controls.whenSettled()).toMatchObject({
      status: "limit",
      error: {
        code: "limit_reached",
        agent: "first",
        message: expect.stringMatching(/a person rejected an extension$/) as unknown,
      },
      state: { first_text: "one" },
    })
    expect(asked({ events })).toBe(2)
  })

  test("a person is asked each time that the budget of an agent is used up", async () => {
    const chart = chartOf([
      loop("rounds", ["first"], 3),
      llm("first", { budget: { maxModelCalls: 1, onExceeded: "ask" } }),
    ])
    const { controls } = begin(interpreter, chart, services())
    for (const _ of [1, 2]) {
      expect(await controls.whenSettled()).toMatchObject({ status: "waiting" })
      expect(controls.pending()).toMatchObject([{ details: { budget: "agent" } }])
      controls.approve(controls.pending()[0]?.id ?? "")
    }
    expect(await controls.whenSettled()).toMatchObject({ status: "completed" })
  })

  test("the run ends with status limit if the request for an extension expires", async () => {
    const chart = chartOf([loop("rounds", ["first"], 3), llm("first", { expiresIn: "5ms" })], {
      budget: { maxModelCalls: 1, onExceeded: "ask" },
    })
    const { controls } = begin(interpreter, chart, services())
    expect(await controls.result).toMatchObject({
      status: "limit",
      error: {
        message: expect.stringMatching(/nobody approved an extension in time$/) as unknown,
      },
    })
  })
})

test("a run that waits for a budget extension can be resumed before and after the answer", async () => {
  const chart = chartOf([loop("rounds", ["first"], 4), llm("first")], {
    budget: { maxTokens: 200, onExceeded: "ask" },
  })
  const journal = memoryJournal()
  const first = createRunner({ ...services(), journal })
  await first.start(chart, { runId: "r" }).whenSettled()
  await first.close()
  const second = createRunner({ ...services(), journal })
  const run = await second.resume("r")
  run.approve(run.pending()[0]?.id ?? "")
  expect(await run.result).toMatchObject({ status: "completed" })
  const third = await createRunner({ ...services(), journal }).resume("r")
  expect(third.snapshot()).toMatchObject({ status: "completed", text: "one" })
})

describe("the budget field of a config", () => {
  const problems = (budget: unknown): readonly string[] =>
    compile({ rootAgentId: "a", budget, agents: [llm("a")] }).diagnostics.map(
      ({ code, message }) => `${code}: ${message}`,
    )

  test.each([
    [{}, /^bad_value: .*has no limits/],
    ["much", /^wrong_type: /],
    [{ maxTokens: 0 }, /^bad_value: /],
    [{ maxTokens: 5, onExceeded: "stop" }, /^wrong_type: /],
    [{ maxTokens: 5, onExceeded: {} }, /^bad_value: .*has no message/],
    [{ maxToken: 5, maxCost: 1 }, /maxToken/],
  ])("the compiler reports the invalid budget %j", (budget, told) =>
    expect(problems(budget).join("\n")).toMatch(told),
  )

  test("a chart without a budget has no field for it", () => {
    expect(JSON.stringify(three(undefined))).not.toContain("budget")
    expect(three({ maxTokens: 5 }).settings.budget).toEqual({ maxTokens: 5, onExceeded: "limit" })
  })
})
