import { describe, expect, test } from "vitest"
import { LlmAgent, programOf } from "../../src/adk/index.js"
import { compile } from "../../src/compiler/index.js"
import { describeAgent } from "../../src/drawing/chart/describe-agent.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ModelRequest, ModelService } from "../../src/machines/contract/services.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { usageByModel } from "../../src/runtime/index.js"
import { createCoreRunner } from "../../src/runtime/core.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { playBoth, resumeEverywhere } from "../support/play-both.js"

const routes = [
  { when: "session_state['tier'] == 'pro'", model: "large" },
  { when: "session_state.get('words', 0) > 100", model: "long" },
]

function chartOf(fields: object = {}, workflow: object = {}): AgentChart {
  const { chart, diagnostics } = compile(
    {
      rootAgentId: "writer",
      agents: [
        { type: "LlmAgent", id: "writer", model: "small", outputKey: "text", routes, ...fields },
      ],
      ...workflow,
    },
    { dialect: "graph-compose" },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const saying = (name: string, asked: ModelRequest[] = []): ModelService => ({
  call(request) {
    asked.push(request)
    return Promise.resolve({ content: name, usage: { inputTokens: 2, outputTokens: 1 } })
  },
})

const failing: ModelService = {
  call: () =>
    Promise.reject(
      new CallFailedError({
        code: "model_call_failed",
        message: "the server answered 503",
        retryable: false,
        status: 503,
      }),
    ),
}

const models = (other: Readonly<Record<string, ModelService>> = {}) => ({
  models: { small: saying("small"), large: saying("large"), long: saying("long"), ...other },
})

const calledModels = (events: readonly { readonly type: string }[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === "model.called" ? ["model" in event ? event.model : "own"] : [],
  )

describe("the routes of an agent", () => {
  test.each([
    [{ tier: "free" }, "small", ["own"]],
    [{ tier: "pro" }, "large", ["large"]],
    [{ tier: "free", words: 200 }, "long", ["long"]],
    // The first true condition applies.
    [{ tier: "pro", words: 200 }, "large", ["large"]],
  ])("choose the model for %j", async (state, text, called) => {
    const asked: ModelRequest[] = []
    const all = {
      small: saying("small", asked),
      large: saying("large", asked),
      long: saying("long", asked),
    }
    const run = createRunner({ models: all }).start(chartOf(), { prompt: "A poem.", state })
    const events: Parameters<typeof usageByModel>[0] extends Iterable<infer Event>
      ? Event[]
      : never = []
    run.events$.subscribe((event) => events.push(event))
    expect(await run.result).toMatchObject({ status: "completed", text })
    expect(calledModels(events)).toEqual(called)
    expect(asked.map(({ model }) => model)).toEqual([text])
    expect(usageByModel(events, chartOf())).toMatchObject({ [text]: { modelCalls: 1 } })
  })

  test("choose the model again for each model call, with the keys that tools of the turn have written", async () => {
    const chart = chartOf(
      {
        tools: ["measure"],
        routes: [{ when: "'size' in session_state", model: "large" }],
      },
      {
        globalTools: [
          {
            type: "HttpTool",
            id: "measure",
            outputKey: "size",
            httpConfig: { url: "https://tools.test/measure", method: "POST" },
          },
        ],
      },
    )
    const services = () => ({
      models: {
        small: {
          call: () =>
            Promise.resolve({
              content: null,
              toolCalls: [{ function_name: "measure", function_args: {} }],
            }),
        },
        large: saying("large"),
      },
      tools: { measure: { call: () => Promise.resolve({ words: 3 }) } },
    })
    const played = await playBoth(chart, services)
    expect(played.result).toMatchObject({ status: "completed", text: "large" })
    expect(calledModels(played.events)).toEqual(["own", "large"])
    await resumeEverywhere(played, services)
  })

  test("are followed by the fallbacks, which can contain the agent's own model", async () => {
    const chart = chartOf({ fallback: ["large", "small"] }, { state: { tier: "pro" } })
    const services = () => models({ large: failing })
    const played = await playBoth(chart, services)
    expect(played.result).toMatchObject({ status: "completed", text: "small" })
    expect(calledModels(played.events)).toEqual(["large", "small"])
    expect(played.events.filter(({ type }) => type === "model.fallback")).toMatchObject([
      { from: "large", to: "small" },
    ])
    await resumeEverywhere(played, services)
  })

  test("fail the agent with the location of a condition that fails, and no model is called", async () => {
    const asked: ModelRequest[] = []
    const all = {
      small: saying("small", asked),
      large: saying("large", asked),
      long: saying("long", asked),
    }
    const played = await playBoth(chartOf(), () => ({ models: all }))
    expect(asked).toEqual([])
    expect(played.result).toMatchObject({
      status: "failed",
      error: {
        code: "condition_failed",
        agent: "writer",
        message: expect.stringContaining(
          `routes[0].when "session_state['tier'] == 'pro'" could not be evaluated: KeyError: 'tier'`,
        ),
      },
    })
    await resumeEverywhere(played, () => ({ models: all }))
  })

  test('with onConditionError "continue", a condition that fails counts as false', async () => {
    const chart = chartOf({}, { onConditionError: "continue", state: { words: 101 } })
    const played = await playBoth(chart, models)
    expect(played.result).toMatchObject({ status: "completed", text: "long" })
    expect(played.events.filter(({ type }) => type === "condition.failed")).toHaveLength(1)
  })

  test("read the index of the enclosing loop", async () => {
    const { chart } = compile({
      rootAgentId: "loop",
      agents: [
        {
          type: "LoopAgent",
          id: "loop",
          maxAgentLoopIterations: 3,
          subAgents: [{ agentId: "writer" }],
        },
        {
          type: "LlmAgent",
          id: "writer",
          model: "small",
          outputKey: "text",
          routes: [{ when: "session_state['current_agent_loop_iteration'] > 1", model: "large" }],
        },
      ],
    })
    if (chart === null) throw new Error("the workflow is invalid")
    const { events } = await playBoth(chart, models)
    expect(calledModels(events)).toEqual(["own", "own", "large"])
  })

  test("can choose other endpoints", async () => {
    const httpConfig = (name: string) => ({ url: `https://${name}.test/`, method: "POST" })
    const chart = chartOf(
      {
        model: undefined,
        httpConfig: httpConfig("small"),
        routes: [{ when: "session_state['tier'] == 'pro'", httpConfig: httpConfig("large") }],
      },
      { state: { tier: "pro" } },
    )
    const asked: ModelRequest[] = []
    const model: ModelService = {
      call(request) {
        asked.push(request)
        return Promise.resolve({ content: "done", exitFlow: true })
      },
    }
    const http = { model, tool: { call: () => Promise.resolve(null) } }
    const run = createRunner({ http }).start(chart)
    expect(await run.result).toMatchObject({ status: "completed", text: "done" })
    expect(asked.map(({ endpoint }) => endpoint?.url)).toEqual(["https://large.test/"])
  })

  test("choose the same model again after a person extends a budget", async () => {
    const chart = chartOf(
      { tools: ["again"], budget: { maxModelCalls: 1, onExceeded: "ask" } },
      {
        state: { tier: "pro" },
        globalTools: [
          {
            type: "HttpTool",
            id: "again",
            httpConfig: { url: "https://tools.test/again", method: "POST" },
          },
        ],
      },
    )
    let calls = 0
    const large: ModelService = {
      call: () =>
        Promise.resolve(
          ++calls === 1
            ? {
                content: null,
                toolCalls: [{ function_name: "again", function_args: {} }],
              }
            : { content: "done" },
        ),
    }
    const run = createRunner({
      ...models({ large }),
      tools: { again: { call: () => Promise.resolve(1) } },
    }).start(chart)
    const events: { readonly type: string }[] = []
    run.events$.subscribe((event) => events.push(event))
    expect(await run.whenSettled()).toMatchObject({ status: "waiting" })
    const [request] = run.pending()
    run.approve(request?.id ?? "")
    expect(await run.result).toMatchObject({ status: "completed", text: "done" })
    expect(calledModels(events)).toEqual(["large", "large"])
  })

  test("are reported if their model is not registered, or if the runner has no conditions", async () => {
    const chart = chartOf()
    const { small, large } = models().models
    const run = createRunner({ models: { small, large } }).start(chart)
    expect(await run.result).toMatchObject({
      error: {
        code: "service_missing",
        message: expect.stringContaining('needs the model "long"'),
      },
    })
    expect(() => createCoreRunner(models()).start(chart)).toThrow(
      expect.objectContaining({ code: "feature_missing" }),
    )
  })

  test("are shown in drawings", () => {
    expect(describeAgent("writer", chartOf()).lines).toEqual([
      "LLM, small",
      "calls large if session_state['tier'] == 'pro'",
      "calls long if session_state.get('words', 0) > 100",
      "writes text",
    ])
  })

  test("can be model services in the class LlmAgent", async () => {
    const agent = new LlmAgent({
      name: "writer",
      model: saying("small"),
      routes: [{ when: "session_state['tier'] == 'pro'", model: saying("large") }],
    })
    const { config, models: services } = programOf(agent)
    const { chart } = compile(config, { dialect: "adk" })
    if (chart === null) throw new Error("the program is invalid")
    const run = createRunner({ models: services }).start(chart, {
      prompt: "Hello.",
      state: { tier: "pro" },
    })
    expect(await run.whenSettled()).toMatchObject({ text: "large" })
  })
})
